import { useEffect, useState } from 'react'
import { countdown } from './webhook-words.ts'

/** Counts down by the second; not read out each time. */
export function Countdown({ to }: { to: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span>{countdown(Date.parse(to), now)}</span>
}
