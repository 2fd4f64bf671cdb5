import { useSignedIn } from '../session.ts'

const format = (at: Date, timeZone: string, withYear: boolean, exact = false): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    ...(exact ? { second: '2-digit' } : {}),
    timeZoneName: 'short',
  }).format(at)

/** A time always names its zone; the pointer shows UTC and the reader's own. */
export function whenText(
  iso: string,
  timeZone: string,
  now = new Date(),
  exact = false,
): { text: string; hint: string } {
  const at = new Date(iso)
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hint = `${at.toISOString().replace('T', ' ').slice(0, 19)} UTC · ${format(at, own, true)} where you are`
  return { text: format(at, timeZone, at.getUTCFullYear() !== now.getUTCFullYear(), exact), hint }
}

interface WhenProps {
  at: string | null
  zone?: string
  /** To the second. */
  exact?: boolean
}

/** In the organisation's zone, unless the place has one of its own. */
export function When({ at, zone, exact = false }: WhenProps) {
  const { organisation } = useSignedIn()
  if (at === null) return <span className="dimmed">–</span>
  const { text, hint } = whenText(at, zone ?? organisation.timezone, undefined, exact)
  return (
    <time dateTime={at} title={hint}>
      {text}
    </time>
  )
}
