import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'
import { HookBody, hookActions } from '@parley/contract/hooks'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { bodySchemas } from '../../src/platform/schema-faults.ts'
import { createTestApp } from '../app.ts'
import { createBody, post, secretOf, tokenOf } from './hook.ts'

const text = readFileSync('docs/INBOUND.md', 'utf8')
/** The blocks of docs/INBOUND.md by the word behind their language. */
const blocks = (name: string) =>
  [...text.matchAll(/^```\w+ ([\w-]+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === name)
    .map((match) => String(match[2]))
const block = (name: string) => {
  const [first] = blocks(name)
  if (first === undefined) throw new Error(`docs/INBOUND.md has no block ${name}.`)
  return first
}

const t = await createTestApp()
const plain = await t.organisation()
const safe = await t.organisation({ organisation: { name: 'Safe', credits: 100, inbound: { signing: true } } })
const matches = bodySchemas.compile(HookBody)

type Sent = { url: string; body: string; headers: Record<string, string> }
const tokenIn = (url: string) => String(url.split('/').at(-1))
const deliver = ({ url, body, headers }: Sent): Promise<LightMyRequestResponse> => {
  expect(matches(JSON.parse(body)), body).toBe(true)
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return post(t, tokenIn(url), body, lower)
}
const hookUrl = (org: typeof plain) => `https://parley.test/v1/hooks/${tokenOf(org)}`

/** What a tool puts in place of its placeholders. */
const filled = (json: string) =>
  json
    .replace('agt_…', plain.agentId)
    .replace(/\{\{[^}]*(phone|Phone)\}\}/, '+15005550001')
    .replace(/\{\{[^}]*Email\}\}/, 'maya@example.com')
    .replace(/\{\{formatDate.*?\}\}/, new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, '+00:00'))
    .replace(/\{\{.*?\}\}/g, 'something')

describe('the recipes of docs/INBOUND.md work as they stand', () => {
  it.each(['zapier', 'make'])('%s: the body', async (name) => {
    const answer = await deliver({ url: hookUrl(plain), body: filled(block(name)), headers: {} })
    expect(answer.statusCode, answer.body).toBe(201)
  })

  it('curl: create, cancel, and signed', async () => {
    const call = (await post(t, tokenOf(plain), createBody(plain))).json().data.call_id
    const statuses: number[] = []
    for (const script of blocks('curl')) {
      const org = script.includes('SIGNATURE') ? safe : plain
      // Instead of sending anything, curl tells what it was given.
      const tell = `curl() { "${process.execPath}" -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }\n`
      const env = {
        ...process.env,
        HOOK_URL: hookUrl(org),
        AGENT: org.agentId,
        CALL: call,
        SIGNING_SECRET: secretOf(org),
      }
      const told = spawnSync('sh', ['-c', tell + script], { env, encoding: 'utf8' })
      const words = JSON.parse(told.stdout) as string[]
      const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []))
      const headers = Object.fromEntries(after('-H').map((each) => each.split(': ') as [string, string]))
      const answer = await deliver({ url: String(after('POST')[0]), body: String(after('-d')[0]), headers })
      statuses.push(answer.statusCode)
    }
    expect(statuses).toEqual([201, 200, 201])
  })

  it('Zapier: the code step, signed and not', async () => {
    for (const org of [plain, safe]) {
      const secret = org === safe ? secretOf(org) : ''
      const inputData = {
        phone: '+15005550001',
        name: 'Maya "the great"\nSharma',
        id: '17',
        agent_id: org.agentId,
        hook_url: hookUrl(org),
        secret,
      }
      const fetch = async (url: string, init: { body: string; headers: Record<string, string> }) => {
        const answer = await deliver({ url, ...init })
        return { ok: answer.statusCode < 300, json: async () => answer.json() }
      }
      const context = vm.createContext({ inputData, fetch, require: createRequire(import.meta.url), Date, Math, JSON })
      const result = await vm.runInContext(`(async () => {${block('zapier-code')}})()`, context)
      expect(result).toEqual({ call_id: expect.stringMatching(/^call_/), scheduled_at: expect.any(String) })
    }
  })

  it('n8n: the expression', async () => {
    const $json = { phone: '+15005550001', name: 'Maya "the great"', id: 17 }
    const body: string = vm.runInNewContext(block('n8n').replace('agt_…', plain.agentId), { $json })
    expect((await deliver({ url: hookUrl(plain), body, headers: {} })).statusCode).toBe(201)
  })

  it('Google Sheets: the script, signed and not', async () => {
    for (const org of [plain, safe]) {
      const rows = [
        ['Name', 'Phone', 'Call'],
        ['Māya', '+15005550001', ''],
        ['', '', ''],
        ['Ravi', '+15005550002', 'call_1'],
      ]
      const sent: Sent[] = []
      const written: unknown[] = []
      const settings = {
        HOOK_URL: hookUrl(org),
        AGENT_ID: org.agentId,
        ...(org === safe ? { SIGNING_SECRET: secretOf(org) } : {}),
      }
      const context = vm.createContext({
        PropertiesService: { getScriptProperties: () => ({ getProperties: () => settings }) },
        SpreadsheetApp: {
          getActiveSheet: () => ({
            getSheetId: () => 5,
            getDataRange: () => ({ getValues: () => rows }),
            getRange: (row: number, column: number) => ({
              setValue: (value: unknown) => written.push([row, column, value]),
            }),
          }),
        },
        UrlFetchApp: {
          fetch: (url: string, given: { contentType: string; headers: Record<string, string>; payload: string }) => {
            sent.push({ url, body: given.payload, headers: { 'content-type': given.contentType, ...given.headers } })
            return { getResponseCode: () => 201, getContentText: () => '{"data":{"call_id":"call_2"}}' }
          },
        },
        Utilities: {
          Charset: { UTF_8: 'utf8' },
          // Apps Script's bytes are signed.
          computeHmacSha256Signature: (value: string, key: string) => [
            ...new Int8Array(createHmac('sha256', key).update(value, 'utf8').digest()),
          ],
        },
      })
      vm.runInContext(`${block('apps-script')}\ncallNewRows()`, context)
      expect(written).toEqual([[2, 3, 'call_2']])
      expect(sent).toHaveLength(1)
      for (const each of sent) expect((await deliver(each)).statusCode).toBe(201)
    }
  })

  it('the form through its relay: a second click is the same call', async () => {
    const names = [...block('form').matchAll(/name="(\w+)"/g)].map((match) => String(match[1]))
    expect(names).toEqual(['name', 'phone'])
    const relay = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(block('relay'))}`)
    const answers: LightMyRequestResponse[] = []
    const realFetch = globalThis.fetch
    globalThis.fetch = (async (url: string, init: { body: string; headers: Record<string, string> }) => {
      const answer = await deliver({ url, ...init })
      answers.push(answer)
      return new Response(answer.body, { status: answer.statusCode })
    }) as unknown as typeof fetch
    try {
      const submit = async (phone: string) => {
        const body = new URLSearchParams({ name: 'Maya', phone })
        const request = new Request('https://relay.test/call-me', { method: 'POST', body })
        return (await relay.default.fetch(request, { HOOK_URL: hookUrl(plain), AGENT_ID: plain.agentId })).status
      }
      const clicks = ['+1 (500) 555-0001', '+1 (500) 555-0001', '12']
      // One moment for all, lest ten minutes end between two clicks.
      vi.spyOn(Date, 'now').mockReturnValue(Date.now())
      const statuses: number[] = []
      for (const phone of clicks) statuses.push(await submit(phone))
      expect(statuses).toEqual([200, 200, 400])
      expect(answers.map((each) => each.statusCode)).toEqual([201, 201, 400])
      expect(answers[1]?.body).toBe(answers[0]?.body)
    } finally {
      vi.restoreAllMocks()
      globalThis.fetch = realFetch
    }
  })

  it('name every action and every field of the contract', () => {
    for (const action of hookActions) expect(text).toContain(`\`${action}\``)
    const shapes = (HookBody as unknown as { oneOf: { properties: { data: { properties: object } } }[] }).oneOf
    const fields = shapes.flatMap((shape) => Object.keys(shape.properties.data.properties))
    for (const field of fields.filter((each) => !each.startsWith('user_'))) expect(text).toContain(`\`${field}\``)
  })
})
