/** Every zone this browser knows, the one in use and UTC included. */
export function timeZones(inUse: string): string[] {
  const known = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
  return [...new Set([...modern(known), inUse, 'UTC'])].sort()
}

/** Some browsers list a zone under its old name only; people look for today's. */
const renamed: Record<string, string> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'Europe/Kiev': 'Europe/Kyiv',
}
const modern = (zones: readonly string[]): string[] => zones.map((zone) => renamed[zone] ?? zone)
