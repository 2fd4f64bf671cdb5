import { Text } from '@mantine/core'
import type { Call } from '@parley/contract/calls'
import { Panel } from '../../ui/panel.tsx'
import { isLive, isPending } from '../Calls/call-words.ts'
import { PlayerBar } from './player-bar.tsx'
import { Transcript } from './transcript-lines.tsx'
import { usePlayer } from './use-player.ts'
import { usePlayerKeys } from './use-player-keys.ts'

function nothingYet({ status }: Call): string {
  if (isPending(status)) return 'The call has not begun. What is said appears here while it is spoken.'
  if (status === 'in_progress') return 'Connected. The first words appear here in a moment.'
  if (isLive(status)) return 'The phone is being called. What is said appears here while it is spoken.'
  return 'Nobody spoke in this call, so there is nothing to hear or read.'
}

/** The sound and the words of a call, led by one another. */
export function Recording({ call }: { call: Call }) {
  const player = usePlayer(call.call_duration_seconds ?? 0)
  const lines = call.call_transcript ?? []
  usePlayerKeys(player, lines)
  const canPlay = call.call_recording !== null
  return (
    <Panel title={canPlay ? 'Recording and transcript' : 'Transcript'}>
      {canPlay && <PlayerBar callId={call.call_id} player={player} />}
      {lines.length > 0 ? (
        <Transcript call={call} player={player} canSeek={canPlay} />
      ) : (
        <Text c="dimmed">{nothingYet(call)}</Text>
      )}
    </Panel>
  )
}
