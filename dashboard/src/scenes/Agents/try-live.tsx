import { Text } from '@mantine/core'
import type { Call } from '@parley/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { labelOf } from '../../label-of.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { reasonWords, stateWords } from '../Home/call-words.ts'

const isOver = ({ status, call_analytics }: Call): boolean =>
  status === 'failed' || status === 'disallowed' || status === 'cancelled' || call_analytics !== null

/** One call as it happens: its state, every sentence as it is spoken, and what came of it. */
export function TryLive({ callId, agentName }: { callId: string; agentName: string }) {
  const call = useQuery({
    queryKey: ['calls', 'one', callId],
    queryFn: ({ signal }) => read<Call>(`/api/v1/calls/${callId}`, {}, signal),
    // The server says when something has changed; this is for the analysis, which comes a little later.
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : 2_000),
  })
  return (
    <div className="spaced">
      <Loaded query={call}>
        {(found) => (
          <>
            <div className="try-states" role="status">
              <Mark tone={stateWords[found.status].tone}>{stateWords[found.status].words}</Mark>
              {found.error && <Text size="sm">{reasonWords(found.error.code)}</Text>}
              {found.call_analytics && (
                <Mark tone="good" icon="check">
                  {labelOf(found.call_analytics.disposition)}
                </Mark>
              )}
              <Link to="/calls/$callId" params={{ callId }}>
                Open the call
              </Link>
            </div>
            {Array.isArray(found.call_transcript) && (
              <ol className="talk" aria-label="Conversation" aria-live="polite">
                {found.call_transcript.map((line) => (
                  <li key={`${line.timestamp} ${line.text}`} className="talk-line" data-speaker={line.speaker}>
                    <span className="talk-who">{line.speaker === 'agent' ? agentName : 'Callee'}</span>
                    {line.text}
                  </li>
                ))}
              </ol>
            )}
            {found.call_analytics && (
              <Text size="sm" mt="sm">
                {found.call_analytics.summary}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
