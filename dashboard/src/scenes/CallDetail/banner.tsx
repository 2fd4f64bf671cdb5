import { Alert, Text } from '@mantine/core'
import type { CallDetail, RelatedCall } from '@parley/contract/dashboard-calls'
import { Link } from '@tanstack/react-router'
import { Icon } from '../../ui/icons.tsx'
import { When } from '../../ui/when.tsx'
import { CallMark } from '../Calls/call-mark.tsx'
import { failureWords } from '../Calls/call-words.ts'

/** What went wrong, in plain words, and what to do next. */
export function FailureBanner({ detail: { call } }: { detail: CallDetail }) {
  if (!call.error) return null
  const { title, next } = failureWords[call.error.code]
  const color = call.status === 'disallowed' ? 'yellow' : 'red'
  return (
    <Alert color={color} title={title} icon={<Icon name="alert" />} className="banner">
      <Text size="sm">
        {next} <span className="dimmed">({call.error.code})</span>
      </Text>
    </Alert>
  )
}

const relationText = ({ relation, source }: RelatedCall, own: CallDetail['source']): string => {
  const kind = relation === 'before' ? own : source
  if (relation === 'before') return kind === 'callback' ? 'This is a callback of' : 'This is a retry of'
  return kind === 'callback' ? 'They asked to be called back' : 'It is tried again'
}

/** The call before and the call after, whichever there are. */
export function LinkedCalls({ detail: { related, source } }: { detail: CallDetail }) {
  if (related.length === 0) return null
  return (
    <ul className="linked" aria-label="Linked calls">
      {related.map((each) => (
        <li key={each.call_id}>
          <span>{relationText(each, source)}:</span>
          <Link to="/calls/$callId" params={{ callId: each.call_id }}>
            {each.relation === 'before' ? 'the call before' : 'the next call'}
          </Link>
          <CallMark status={each.status} />
          <When at={each.scheduled_at} />
        </li>
      ))}
    </ul>
  )
}
