import { useLive } from '../live.ts'

const words = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting' } as const

export function LivePill() {
  const state = useLive()
  return (
    <span className="live" data-state={state} role="status">
      {words[state]}
    </span>
  )
}
