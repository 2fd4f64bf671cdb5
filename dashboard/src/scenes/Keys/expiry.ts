import { instantOfText, wallTime } from '../../zoned-time.ts'

export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'date', label: 'On a date…' },
] as const
export type ExpiryChoice = (typeof expiryChoices)[number]['value']

/** Null: never. Undefined: a date is still to be chosen. A date means its end, where the organisation is. */
export function expiryOf(choice: ExpiryChoice, date: string, zone: string, now: Date): string | null | undefined {
  if (choice === 'never') return null
  if (choice === 'date') return instantOfText(`${date}T23:59`, zone) ?? undefined
  return new Date(now.getTime() + Number(choice) * 86_400_000).toISOString()
}

export const tomorrowIn = (zone: string, now: Date): string =>
  wallTime(new Date(now.getTime() + 86_400_000), zone).slice(0, 10)
