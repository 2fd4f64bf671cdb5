import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Call } from '@parley/contract/calls'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/platform/db.ts'
import { createTestApp } from '../app.ts'

const t = await createTestApp({ workers: {} })
const org = await t.organisation({
  organisation: { name: 'Acme Clinic', plan: 'professional', credits: 1_000 },
  branches: [{ name: 'Main' }],
  agents: [{ name: 'Asha', number: '+15005550000', branch: 'Main', greeting: 'Hello {{user_name}}, about {{topic}}.' }],
})
const done = (call: Call) => call.status === 'failed' || (call.status === 'completed' && call.call_analytics !== null)
const person = {
  user_number: '+15005550001',
  user_name: 'Zerubbabel Quillfeather',
  user_email: 'zerubbabel@quillfeather.example',
  additional_info: { topic: 'xylophone lessons' },
}
const key = { 'idempotency-key': 'quillfeather-1' }
const create = (body: object, headers = {}) =>
  t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, ...body }, headers)
const erase = (callId: string) => t.send(org.key, 'DELETE', `/v1/calls/${callId}`)

/** Every value of every row of every table, as text. */
async function wholeDatabase(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const parts = await Promise.all(
    tables.map(({ name }) =>
      db.query<{ dump: string | null }>(`select string_agg(x::text, E'\n') as dump from ${name} x`),
    ),
  )
  return parts.map(([row]) => row?.dump ?? '').join('\n')
}
const wholeFolder = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (entry) => entry.name + (entry.isFile() ? readFileSync(path.join(entry.parentPath, entry.name), 'latin1') : ''),
    )
    .join('\n')

describe('§4.4 DELETE /v1/calls/{call_id}', () => {
  it('erases every trace of the person: database, recording, events, remembered answer; the audit line stays', async () => {
    const { call_id } = (await create(person, key)).json().data
    const call = await t.untilCall(org.key, call_id, done)
    expect(call).toMatchObject({ status: 'completed', contact_name: person.user_name })
    const recording = await t.app.inject({ url: String(call.call_recording).replace('http://127.0.0.1:3000', '') })
    expect(recording.statusCode).toBe(200)
    const words = ['Zerubbabel', 'Quillfeather', 'quillfeather.example', 'xylophone', '+15005550001', call_id]
    const before = (await wholeDatabase(t.db)) + wholeFolder(t.dataDir)
    for (const word of words) expect(before).toContain(word)

    const response = await erase(call_id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ data: { call_id, deleted: true } })

    const after = (await wholeDatabase(t.db)) + wholeFolder(t.dataDir)
    for (const word of words.slice(0, 5)) expect(after).not.toContain(word)
    const audit = await t.db.query('select actor, action, resource_id from audit_log')
    expect(audit).toEqual([{ actor: org.api_keys[0]?.key_id, action: 'call.erased', resource_id: call_id }])
    expect((await t.send(org.key, 'GET', `/v1/calls/${call_id}`)).statusCode).toBe(404)
    expect(
      (await t.app.inject({ url: String(call.call_recording).replace('http://127.0.0.1:3000', '') })).statusCode,
    ).toBe(404)
    expect((await erase(call_id)).statusCode).toBe(404)
  })

  it('a repeat with the same Idempotency-Key answers 404 and never dials again', async () => {
    const again = await create(person, key)
    expect(again.statusCode).toBe(404)
    expect((await t.send(org.key, 'GET', '/v1/calls?contact_number=%2B15005550001')).json().data).toEqual([])
  })

  it.each(['+15005550002', '+15005550012'])('404 for a call to %s, which was not completed', async (user_number) => {
    const { call_id } = (await create({ user_number })).json().data
    await t.untilCall(org.key, call_id, done)
    const response = await erase(call_id)
    expect(response.statusCode).toBe(404)
    expect(response.json().error.message).toContain('completed calls that were answered')
    expect((await t.send(org.key, 'GET', `/v1/calls/${call_id}`)).statusCode).toBe(200)
  })

  it("404 for a scheduled call, an unknown one and another organisation's", async () => {
    const { call_id } = (await create({ ...person, scheduled_time: '2027-06-01T10:00:00Z' })).json().data
    expect((await erase(call_id)).statusCode).toBe(404)
    expect((await erase('call_00000000000000000000000000000000')).statusCode).toBe(404)
    const other = await t.organisation()
    const { call_id: theirs } = (
      await t.send(other.key, 'POST', '/v1/calls', { agent_id: other.agentId, user_number: '+15005551234' })
    ).json().data
    await t.untilCall(other.key, theirs, done)
    expect((await erase(theirs)).statusCode).toBe(404)
    expect((await t.send(other.key, 'DELETE', `/v1/calls/${theirs}`)).statusCode).toBe(200)
  })

  it('a store that is away delays only the removal of the file', async () => {
    const { storage } = t
    const { call_id } = (await create(person)).json().data
    const call = await t.untilCall(org.key, call_id, done)
    await t.app.inject({ url: String(call.call_recording).replace('http://127.0.0.1:3000', '') })
    const remove = storage.remove
    storage.remove = async () => {
      throw new Error('store away')
    }
    expect((await erase(call_id)).statusCode).toBe(200)
    expect(await t.db.query('select key from media_removals')).toHaveLength(1)
    storage.remove = remove
    const { removeScheduled } = await import('../../src/media/removals.service.ts')
    await removeScheduled(t.db, storage)
    expect(await t.db.query('select key from media_removals')).toHaveLength(0)
    expect(wholeFolder(t.dataDir)).not.toContain(call_id)
  })
})
