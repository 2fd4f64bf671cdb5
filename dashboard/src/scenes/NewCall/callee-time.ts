// What the clock says where the phone rings. A +1 number does not tell where; India has one time.
import { wallOf } from '../../zoned-time.ts'

const zonesOf = {
  IN: [{ name: 'India', zone: 'Asia/Kolkata' }],
  US: [
    { name: 'New York', zone: 'America/New_York' },
    { name: 'Chicago', zone: 'America/Chicago' },
    { name: 'Denver', zone: 'America/Denver' },
    { name: 'Los Angeles', zone: 'America/Los_Angeles' },
    { name: 'Anchorage', zone: 'America/Anchorage' },
    { name: 'Honolulu', zone: 'Pacific/Honolulu' },
  ],
} as const

/** Calling hours most people accept, and American law asks for. */
const firstHour = 8
const lastHour = 21

export const isNight = (time: string): boolean => {
  const hour = Number(time.slice(0, 2))
  return hour < firstHour || hour >= lastHour
}

export interface CalleeTime {
  text: string
  /** Why somebody may not want to be called then. */
  warning: string | null
}

const dayText = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(at)

export function calleeTime(country: 'US' | 'IN', at: Date): CalleeTime {
  const places = zonesOf[country].map(({ name, zone }) => ({
    name,
    said: dayText(at, zone),
    night: isNight(wallOf(at, zone).time),
  }))
  const [first, ...more] = places
  const nights = places.filter((place) => place.night)
  if (country === 'IN' || !first || more.length === 0) {
    const warning = first?.night
      ? 'It is night in India at that time. Most people expect calls from 8:00 to 21:00.'
      : null
    return { text: `${first?.said} where the phone rings (India).`, warning }
  }
  const last = more.at(-1) ?? first
  const text = `A +1 number can be in any of six time zones: from ${first.said} in ${first.name} to ${last.said} in ${last.name}.`
  if (nights.length === 0) return { text, warning: null }
  const where =
    nights.length === places.length
      ? 'everywhere in the United States'
      : `in ${listOf(nights.map((each) => each.name))}`
  return { text, warning: `It is night ${where} at that time. Most people expect calls from 8:00 to 21:00.` }
}

const listOf = (names: string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
