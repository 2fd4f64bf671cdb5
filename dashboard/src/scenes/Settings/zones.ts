/** What the browser knows; whatever else is a zone may be typed. */
export const zoneNames = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')]
