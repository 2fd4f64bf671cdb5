import { expect, it } from 'vitest'
import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { createMoonshineRecogniser } from '../../src/adapters/speech/moonshine.ts'
import { createTestDatabase } from '../database.ts'
import { apply, ask, makeFolder, parley, readJson, startedServer } from '../processes/process.ts'
import { freePort } from './free-port.ts'
import { startPerson, whyNoBaresip } from './person.ts'

const installed = (await createMoonshineRecogniser()) && (await createFliteSpeech())
const reason = whyNoBaresip() ?? (installed ? null : 'moonshine or flite is not installed')
const skipped = reason ? ` (skipped: ${reason})` : ''
const program = ['server/dist/parley.mjs', 'start']

type Applied = { api_keys: { key: string }[]; agents: { agent_id: string }[] }
type Called = {
  data: { call_id: string; status: string; error: { code: string } | null; call_recording: string | null }
}

it.skipIf(reason)(
  `a node killed in mid-call: its phone is hung up by the next one, the call is node_lost, nothing rings twice${skipped}`,
  async () => {
    const [{ url, db }, sipPort, phonePort, folder] = await Promise.all([
      createTestDatabase({ template: false }),
      freePort(),
      freePort(),
      makeFolder(),
    ])
    const env = {
      DATABASE_URL: url,
      PARLEY_SECRET_KEY: 'a secret for this test',
      PARLEY_DATA_DIR: folder,
      PARLEY_CALL_DELAY: '0s',
      PARLEY_SIP_HOST: '127.0.0.1',
      PARLEY_SIP_PORT: String(sipPort),
      PARLEY_RTP_PORTS: '24500-24599',
      LOG_LEVEL: 'warn',
    }
    const file = {
      organisation: { name: 'Kill', credits: 10 },
      trunks: [{ name: 'carrier', host: '127.0.0.1', port: phonePort, user: 'acme', password: 'open sesame' }],
      phone_numbers: [{ number: '+14155550100', carrier: 'sip', trunk: 'carrier' }],
      agents: [{ name: 'Asha', number: '+14155550100' }],
      api_keys: [{ name: 'all' }],
    }
    const applied = await apply(file, env)
    const { api_keys, agents } = readJson<Applied>(applied)
    expect(applied.stdout).not.toContain('sesame')
    const key = api_keys[0]?.key ?? ''
    const says = new Int16Array(8_000 * 120)
    const person = await startPerson({ number: '+15005550101', port: phonePort, says, rtpPorts: '24600-24699' })
    // Words a person can act on, from the command itself.
    expect((await parley(['trunk', 'test', 'carrier'], env)).stdout).toMatch(/✓ The carrier answers/)

    const dying = await startedServer(env, program)
    const body = { agent_id: agents[0]?.agent_id, user_number: '+15005550101' }
    const { data } = (await ask(`${dying.url}/v1/calls`, key, body)).body as Called
    const spoken = () => db.query('select 1 from call_utterances where call_id = $1', [data.call_id])
    await expect.poll(async () => (await spoken()).length, { timeout: 30_000 }).toBe(1)
    await dying.stop('SIGKILL')
    const diedAtMs = performance.now()
    expect(person.output()).not.toMatch(/terminated/)

    const next = await startedServer(env, program)
    const get = async () => ((await ask(`${next.url}/v1/calls/${data.call_id}`, key)).body as Called).data
    await expect.poll(async () => (await get()).status, { timeout: 60_000, interval: 200 }).toBe('failed')
    expect(performance.now() - diedAtMs).toBeLessThan(30_000)
    expect(await get()).toMatchObject({ error: { code: 'node_lost' }, call_recording: null })
    await expect.poll(person.output, { timeout: 10_000 }).toMatch(/terminated/)
    expect(person.output().match(/answering call on line/g)).toHaveLength(1)
    const [event] = await db.query<{ data: { call_transcript: unknown[] } }>(
      `select data from events where call_id = $1 and type = 'call.failed'`,
      [data.call_id],
    )
    expect(event?.data).toMatchObject({ error: 'node_lost', call_recording: null })
    expect(event?.data.call_transcript).toHaveLength(1)
    const kept = await db.query('select leg_trace from calls where call_id = $1', [data.call_id])
    expect(kept).toEqual([{ leg_trace: null }])
    await next.stop()
  },
)
