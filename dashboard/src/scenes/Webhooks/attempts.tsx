import { Text, Title } from '@mantine/core'
import type { Attempt } from '@parley/contract/webhooks'
import { Panel } from '../../ui/panel.tsx'
import { When } from '../../ui/when.tsx'
import { OutcomeView } from './exchange.tsx'

/** Newest first: that is the one somebody came for. */
export function Attempts({ log }: { log: readonly Attempt[] }) {
  return (
    <Panel title="Attempts">
      {log.length === 0 ? (
        <Text c="dimmed">None yet. The first appears here by itself.</Text>
      ) : (
        <ol className="attempts" reversed>
          {log.toReversed().map((attempt) => (
            <li key={attempt.number} className="attempt">
              <div className="panel-head">
                <Title order={3} size="h6">
                  Attempt {attempt.number}
                </Title>
                <Text size="sm" c="dimmed">
                  <When at={attempt.started_at} />
                </Text>
              </div>
              <OutcomeView outcome={attempt} name={`answer to attempt ${attempt.number}`} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
