import { describe, expect, it } from 'vitest'
import { createTestApp } from '../app.ts'
import { createBody, expectRefused, post, tokenOf } from './hook.ts'

const t = await createTestApp()
const org = await t.organisation()
const other = await t.organisation()
const create = (data: object) => post(t, tokenOf(org), createBody(org, data))

describe('a call.create that is refused is told everything at once', () => {
  it('a bad agent and a bad number are both named, by the code of the agent', async () => {
    const answer = await create({ agent_id: other.agentId, contact_number: '+1' })
    expectRefused(answer, 400, 'AGENT_NOT_CALLABLE')
    expect(answer.json().error.details).toEqual([
      expect.objectContaining({ field: 'data.agent_id', code: 'agent_missing' }),
      expect.objectContaining({ field: 'data.contact_number', code: 'invalid_phone_number' }),
    ])
  })

  it('a bad agent and a bad number are named beside another fault', async () => {
    const answer = await create({ agent_id: other.agentId, contact_number: '+1', contact_name: 5 })
    expectRefused(answer, 400, 'VALIDATION_ERROR')
    const fields = answer.json().error.details.map((each: { field: string }) => each.field)
    expect(fields).toEqual(['data.contact_name', 'data.agent_id', 'data.contact_number'])
  })
})
