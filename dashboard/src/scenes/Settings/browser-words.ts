// What a browser says of itself, made short: Firefox on Windows.

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]
const firstOf = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

export function browserWords(said: string | null): string {
  if (said === null || said.trim() === '') return 'Unknown browser'
  const browser = firstOf(browsers, said)
  const system = firstOf(systems, said)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? said.slice(0, 40)
}
