import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, makeFolder, parley, startedServer } from '../processes/process.ts'
import { answering, caFile, startReceiver } from '../receiver.ts'
import { outcomesSurvive } from './outcomes.ts'

it('every outcome arrives though nodes are killed and PostgreSQL crashes', async () => {
  const { events } = await outcomesSurvive(['kill', 'restart', 'kill', 'kill'])
  expect(events).toBeGreaterThan(50)
})

it('what a dead node was sending is sent by another within 20 s (decisions 6)', async () => {
  const { url } = await createTestDatabase({ template: false })
  const receiver = await startReceiver()
  receiver.behave(() => {})
  const env = {
    DATABASE_URL: url,
    PARLEY_SECRET_KEY: 'a secret for this test',
    PARLEY_DATA_DIR: await makeFolder(),
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'true',
    PARLEY_WEBHOOK_CA_FILE: await caFile(),
    LOG_LEVEL: 'error',
  }
  const program = ['server/dist/parley.mjs', 'start']
  await apply({ organisation: { name: 'Lost' }, webhook_endpoints: [{ url: receiver.url }] }, env)
  const dying = await startedServer(env, program)
  await parley(['trigger', 'call.completed'], env)
  await receiver.until(1)
  const other = await startedServer({ ...env, PARLEY_ROLES: 'webhooks' }, program)
  receiver.behave(answering(200))
  await dying.stop('SIGKILL')
  const diedAtMs = performance.now()
  const [first, second] = await receiver.until(2)
  expect(second?.event.event_id).toBe(first?.event.event_id)
  expect((second?.atMs ?? Number.POSITIVE_INFINITY) - diedAtMs).toBeLessThan(20_000)
  await sleep(100)
  await other.stop()
})
