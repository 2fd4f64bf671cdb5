import { createHmac } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { createTestApp, type Organisation, type TestApp, type TestAppOptions } from '../app.ts'
import { atEnd } from '../at-end.ts'

export const tokenOf = (org: Organisation): string => org.organisation.inbound.token ?? ''
export const secretOf = (org: Organisation): string => org.organisation.inbound.signing_secret ?? ''

export const createBody = (org: Organisation, data: object = {}) => ({
  action: 'call.create',
  data: { agent_id: org.agentId, contact_number: '+15005550001', ...data },
})

/** One of several nodes on a database: it has a pool of its own. */
export async function createNode(url: string, options: TestAppOptions = {}): Promise<TestApp> {
  const db = openDatabase({ url, applicationName: 'a node of the hook' })
  atEnd(() => db.close())
  return createTestApp({ ...options, database: { db, url } })
}

type Headers = Record<string, string | undefined>

/** A POST to the hook; a text or bytes are sent as they are. */
export function post(
  { app }: Pick<TestApp, 'app'>,
  token: string,
  body: unknown,
  headers: Headers = {},
): Promise<LightMyRequestResponse> {
  const given = Object.entries({ 'content-type': 'application/json', ...headers }).filter(
    ([, value]) => value !== undefined,
  )
  const request: InjectOptions = { method: 'POST', url: `/v1/hooks/${token}`, headers: Object.fromEntries(given) }
  if (body !== undefined) {
    request.payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  }
  return app.inject(request)
}

export const hmac = (secret: string, timestamp: string | number, body: string | Buffer) =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body)

export const signed = (secret: string, timestamp: string | number, body: string | Buffer) => ({
  'x-inbound-timestamp': String(timestamp),
  'x-inbound-signature': hmac(secret, timestamp, body).digest('hex'),
})

export const unixSeconds = (now: Date): number => Math.floor(now.getTime() / 1_000)

export const countCalls = async ({ db }: Pick<TestApp, 'db'>, org: Organisation): Promise<number> => {
  const rows = await db.query<{ n: string }>('select count(*) as n from calls where organisation_id = $1', [
    org.organisationId,
  ])
  return Number(rows[0]?.n)
}

export const usedQuota = async ({ db }: Pick<TestApp, 'db'>, org: Organisation): Promise<number> => {
  const rows = await db.query<{ n: string }>(
    'select coalesce(sum(requests), 0) as n from hook_usage where organisation_id = $1',
    [org.organisationId],
  )
  return Number(rows[0]?.n)
}

/** The one error body, and what is left of the limit (decisions 2). */
export function expectRefused(answer: LightMyRequestResponse, status: number, code: string): void {
  expect([answer.statusCode, answer.json().error?.code], answer.body).toEqual([status, code])
  expect([answer.headers['ratelimit-policy'], answer.headers.ratelimit]).toEqual([
    expect.stringMatching(/;q=\d+;w=\d+$/),
    expect.stringMatching(/;r=\d+;t=\d+$/),
  ])
  expect(answer.json()).toEqual({
    success: false,
    error: {
      code,
      message: expect.any(String),
      details: expect.any(Array),
      request_id: answer.headers['x-request-id'],
    },
  })
}

/** What a client can tell answers apart by: all of it, but for what differs between any two answers. */
export function visible(answer: LightMyRequestResponse): object {
  const { 'x-request-id': id, date, ratelimit, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body: answer.body.replaceAll(String(id), 'req_…') }
}
