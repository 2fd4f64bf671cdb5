import { eventExamples } from '@parley/contract/event-examples'
import { recordEvents } from '../../src/webhooks/events.service.ts'
import { createTestApp, type Organisation, type TestApp, type TestAppOptions } from '../app.ts'
import { caFile } from '../receiver.ts'

export type World = TestApp & {
  /** Events of this organisation, each in a transaction of its own; their ids. */
  happen(org: Organisation, count?: number): Promise<string[]>
  endpoint(org: Organisation): Promise<{ status: string; consecutive_failures: number; disabled_reason: string | null }>
  /** Deliveries by status. */
  statuses(org: Organisation): Promise<Record<string, number>>
}

export const receiverSettings = async (): Promise<Record<string, string>> => ({
  PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
  PARLEY_WEBHOOK_CA_FILE: await caFile(),
  PARLEY_WEBHOOK_RETRY_DELAYS: '50ms,50ms,50ms,50ms',
})

const { data } = eventExamples['call.completed']

/** An app that delivers to receivers of the test's own. */
export async function createWorld(options: TestAppOptions = {}): Promise<World> {
  const t = await createTestApp({
    workers: {},
    ...options,
    settings: { ...(await receiverSettings()), ...options.settings },
  })
  return {
    ...t,
    happen: (org, count = 1) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const event = { organisationId: org.organisationId, type: 'call.completed', callId: null, data } as const
          const [id] = await t.db.transaction((tx) => recordEvents(tx, [event]))
          return id as string
        }),
      ),
    endpoint: async (org) => {
      const [row] = await t.db.query<{ status: string; consecutive_failures: number; disabled_reason: string | null }>(
        'select status, consecutive_failures, disabled_reason from webhook_endpoints where organisation_id = $1',
        [org.organisationId],
      )
      return row as { status: string; consecutive_failures: number; disabled_reason: string | null }
    },
    statuses: async (org) => {
      const rows = await t.db.query<{ status: string; count: string }>(
        'select status, count(*) from webhook_deliveries where organisation_id = $1 group by status',
        [org.organisationId],
      )
      return Object.fromEntries(rows.map((row) => [row.status, Number(row.count)]))
    },
  }
}
