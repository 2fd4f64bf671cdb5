import { expect } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { apply, readJson } from './process.ts'

export type Inbound = { url: string | null; token: string | null; signing_secret: string | null }
export type Applied = {
  organisation: { organisation_id: string; inbound: Inbound }
  users: { email: string; password?: string }[]
  agents: { name: string; agent_id: string }[]
  branches: { name: string; branch_id: string }[]
  services: { name: string; appointment_type_id: string }[]
  api_keys: { name: string; key_id: string; key: string }[]
  webhook_endpoints: { url: string; endpoint_id: string; secret: string }[]
}

// The example of decisions 9, and a second item where the order shows.
export const example = {
  organisation: {
    name: 'Acme Clinic',
    plan: 'professional',
    credits: 1_000,
    timezone: 'Asia/Kolkata',
    public_share: { enabled: true, expiry: null },
    inbound: { signing: false },
  },
  users: [
    { email: 'owner@acme.test', password: 'correct horse', role: 'owner' },
    { email: 'a.staff@acme.test', password: 'battery staple', role: 'staff' },
  ],
  phone_numbers: [{ number: '+15005550000', carrier: 'simulator', max_concurrent: 10 }],
  agents: [
    {
      name: 'Asha',
      type: 'outbound',
      language: 'en',
      number: '+15005550000',
      prompt: 'You are Asha.',
      greeting: 'Hello {{user_name}}',
      branch: 'Main',
      retry: { max_attempts: 2, delay: '60s', on: ['no_answer', 'voicemail'] },
    },
    { name: 'Aaron' },
  ],
  branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }, { name: 'Annex' }],
  services: [
    { name: 'Check-up', duration_minutes: 30, branches: ['Main'] },
    { name: 'Advice', branches: ['Annex', 'Main'] },
  ],
  do_not_call: ['+15005559999'],
  api_keys: [
    { name: 'all', scopes: ['*'] },
    { name: 'a reader', scopes: ['calls:read'] },
  ],
  webhook_endpoints: [
    { url: 'https://example.com/hook', events: ['*'], signing: true },
    { url: 'https://example.com/another', events: ['call.completed'] },
  ],
}

const named = (list: { name: string }[], id: Record<string, unknown>) => list.map(({ name }) => ({ name, ...id }))
export const text = (pattern: RegExp) => expect.stringMatching(pattern)
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function expectExample(made: Applied, base: string): void {
  expect(made).toMatchObject({
    organisation: {
      organisation_id: text(/^org_/),
      inbound: { url: `${base}/v1/hooks/${made.organisation.inbound.token}`, signing_secret: text(/^\w{40,}$/) },
    },
    users: example.users.map(({ email }) => ({ email })),
    agents: named(example.agents, { agent_id: text(/^agt_/) }),
    branches: named(example.branches, { branch_id: text(uuid) }),
    services: named(example.services, { appointment_type_id: text(uuid) }),
    api_keys: named(example.api_keys, { key_id: text(/^key_/), key: text(/^pk_[0-9A-Za-z]{43,}$/) }),
    webhook_endpoints: example.webhook_endpoints.map(({ url }) => ({
      url,
      endpoint_id: text(/^whe_/),
      secret: text(/^\w{40,}$/),
    })),
  })
  expect(made.organisation.inbound.token).toMatch(/^[0-9A-Za-z]{43,}$/)
  // A password the operator chose is not printed.
  for (const { password } of example.users) expect(JSON.stringify(made)).not.toContain(password)
}

/** Commands on a database of their own, in the PostgreSQL of the test run. */
export async function openBooks() {
  const { db, url } = await createTestDatabase()
  const settings = { DATABASE_URL: url, PARLEY_SECRET_KEY: 'a secret key of the tests' }
  const count = async (table: string) =>
    Number((await db.query<{ count: string }>(`select count(*) from ${table}`))[0]?.count)
  const applyTo = async (file: unknown) => readJson<Applied>(await apply(file, settings))
  return { db, settings, count, applyTo }
}

export function faultless(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, i) => ({ name: `key ${i}` }))
}
