import { useSignedIn } from '../session.ts'

const format = (at: Date, timeZone: string, withYear: boolean): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)

/** A time always names its zone; the pointer shows UTC and the reader's own. */
export function whenText(iso: string, timeZone: string, now = new Date()): { text: string; hint: string } {
  const at = new Date(iso)
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = `${at.toISOString().replace('T', ' ').slice(0, 19)} UTC · ${format(at, own, true)} where you are`
  return { text: format(at, timeZone, at.getUTCFullYear() !== now.getUTCFullYear()), hint }
}

/** In the organisation's zone, unless the place has one of its own. */
export function When({ at, zone }: { at: string | null; zone?: string }) {
  const { organisation } = useSignedIn()
  if (at === null) return <span className="dimmed">–</span>
  const { text, hint } = whenText(at, zone ?? organisation.timezone)
  return (
    <time dateTime={at} title={hint}>
      {text}
    </time>
  )
}
