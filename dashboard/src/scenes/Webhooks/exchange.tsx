import { Text } from '@mantine/core'
import type { Attempt, SentRequest } from '@parley/contract/webhooks'
import { Code } from '../../ui/code.tsx'
import { Mark } from '../../ui/mark.tsx'
import { failureWords, headerLines, readable } from './webhook-words.ts'

type Outcome = Pick<Attempt, 'status_code' | 'failure' | 'detail' | 'advice' | 'response' | 'duration_ms'>

/** What came back: result, time, advice, and the answer as the text it was. */
export function OutcomeView({ outcome, name = 'answer' }: { outcome: Outcome; name?: string }) {
  const { status_code, failure, detail, advice, response, duration_ms } = outcome
  return (
    <div className="outcome">
      <div className="outcome-head">
        {failure === null ? <Mark tone="good">Delivered</Mark> : <Mark tone="bad">{failureWords(failure)}</Mark>}
        <Text size="sm" c="dimmed">
          {status_code !== null && `HTTP ${status_code} · `}
          {duration_ms.toLocaleString('en')} ms
        </Text>
      </div>
      {advice && <Text size="sm">{advice}</Text>}
      {detail && (
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      )}
      {response === null ? (
        <Text size="sm" c="dimmed">
          The answer had no body.
        </Text>
      ) : (
        <Code text={response} label={name} />
      )}
    </div>
  )
}

export function RequestView({ request }: { request: SentRequest }) {
  return (
    <div className="outcome">
      <Text size="sm" fw={600}>
        Headers
      </Text>
      <Code text={headerLines(request.headers)} label="request headers" />
      <Text size="sm" fw={600}>
        Body
      </Text>
      <Code text={readable(request.body)} label="request body" />
    </div>
  )
}
