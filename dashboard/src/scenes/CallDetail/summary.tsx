import { Text } from '@mantine/core'
import type { CallDetail } from '@parley/contract/dashboard-calls'
import { Link } from '@tanstack/react-router'
import { CopyId } from '../../ui/copy-id.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { When } from '../../ui/when.tsx'
import { CallMark, SaidMark } from '../Calls/call-mark.tsx'
import {
  directionWords,
  dispositionWords,
  isLive,
  lengthText,
  numberText,
  sentimentWords,
} from '../Calls/call-words.ts'
import { valueText } from './values.ts'

/** What came of the call. */
export function Summary({ detail }: { detail: CallDetail }) {
  const { call, agent_number } = detail
  const analytics = call.call_analytics
  const details = Object.entries(call.extracted_details ?? {})
  return (
    <>
      {analytics ? (
        <>
          <p className="summary-text">{analytics.summary}</p>
          <Text size="sm" c="dimmed">
            Next step
          </Text>
          <p className="summary-text">{analytics.next_steps}</p>
        </>
      ) : (
        <Text c="dimmed" mb="sm">
          {isLive(call.status)
            ? 'The summary is written when the call has ended.'
            : 'There is no summary of this call.'}
        </Text>
      )}
      <Facts>
        <Fact name="Status">
          <CallMark status={call.status} />
        </Fact>
        {analytics && <Fact name="Outcome">{dispositionWords[analytics.disposition]}</Fact>}
        {analytics && (
          <Fact name="Mood">
            <SaidMark said={sentimentWords[analytics.sentiment]} />
          </Fact>
        )}
        <Fact name="Length">{lengthText(call.call_duration_seconds)}</Fact>
        <Fact name="Scheduled for">
          <When at={call.scheduled_at} />
        </Fact>
        <Fact name="Agent">
          <Link to="/agents/$agentId" params={{ agentId: call.agent_id }}>
            {call.agent_name}
          </Link>
        </Fact>
        <Fact name="Direction">{directionWords[call.call_direction]}</Fact>
        {agent_number && <Fact name="Over our number">{numberText(agent_number)}</Fact>}
        {call.credits_consumed !== null && <Fact name="Credits">{call.credits_consumed}</Fact>}
        <Fact name="Call ID">
          <CopyId id={call.call_id} label="call ID" />
        </Fact>
      </Facts>
      {details.length > 0 && (
        <>
          <h3 className="sub">Details that were mentioned</h3>
          <Facts>
            {details.map(([name, value]) => (
              <Fact key={name} name={name.replaceAll('_', ' ')}>
                <span className="foreign">{valueText(value)}</span>
              </Fact>
            ))}
          </Facts>
        </>
      )}
    </>
  )
}
