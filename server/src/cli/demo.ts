import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { applyFile } from './apply.ts'

const demoFile = {
  organisation: { name: 'Demo Clinic', plan: 'professional', credits: 1_000, timezone: 'Asia/Kolkata' },
  users: [{ email: 'demo@parley.test', role: 'owner' }],
  phone_numbers: [{ number: '+15005550000', carrier: 'simulator' }],
  branches: [{ name: 'Main' }],
  services: [{ name: 'Check-up', duration_minutes: 30, branches: ['Main'] }],
  // Open every day, so that the first call books something.
  windows: [
    { branch: 'Main', session: 'Morning', ai_slots: 4, max_slots: 8 },
    { branch: 'Main', session: 'Afternoon', ai_slots: 4, max_slots: 8 },
  ],
  agents: [
    {
      name: 'Asha',
      type: 'outbound',
      number: '+15005550000',
      branch: 'Main',
      prompt: 'You are Asha of Demo Clinic. Offer {{user_name}} an appointment for a check-up.',
      greeting: 'Hello {{user_name}}, this is Asha from Demo Clinic.',
    },
  ],
  api_keys: [{ name: 'demo', scopes: ['*'] }],
} satisfies Parameters<typeof applyFile>[1]

/** Makes the demo organisation and says, once, how to use it. */
export async function makeDemo(runtime: Runtime, url: string, config: Config): Promise<string> {
  const made = await applyFile(runtime, demoFile, { ...config, baseUrl: url })
  const key = made.api_keys[0]?.key
  const user = made.users[0]
  const body = JSON.stringify({ agent_id: made.agents[0]?.agent_id, user_number: '+15005550001', user_name: 'Maya' })
  return `This is the first start, so a demo organisation was made. These secrets are shown only now:

  API key         ${key}
  Hook URL        ${made.organisation.inbound.url}
  Sign in         ${user?.email}   password ${user?.password}

Place a call:

  curl -X POST ${url}/v1/calls -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'
`
}
