import type { Role } from '@parley/contract/common'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { type Calendar, createCalendar, saturdayNoon } from '../calendar/calendar.ts'
import { apiAs, type Signed, signedOrganisation } from '../dashboard.ts'

export let t: Calendar
export let org: Signed
export let theirs: Signed
export let mainId: string
export let serviceId: string

export const roles = ['owner', 'admin', 'staff', 'viewer'] as const
export const place = {
  branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
  services: [{ name: 'Check-up', branches: ['Main'] }],
}

/** Before all: what these files talk about is made anew for each. */
export async function setUp(): Promise<void> {
  t = await createCalendar()
  // Sessions end by the database's clock.
  t.clock.set(new Date().toISOString())
  org = await signedOrganisation(t, place, roles)
  theirs = await signedOrganisation(t, place, ['owner'])
  t.clock.set(saturdayNoon)
  mainId = org.branches[0]?.branch_id ?? ''
  serviceId = org.services[0]?.appointment_type_id ?? ''
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export const asRole = (role: Role, method: Method, url: string, body?: object, of: Signed = org) =>
  apiAs(t, of.cookies[role])(method, url, body)
export const ask = (method: Method, url: string, body?: object) => asRole('owner', method, url, body)
export const dataOf = (answer: LightMyRequestResponse, status = 200) => {
  expect(answer.statusCode, answer.body).toBe(status)
  return answer.json().data
}
export const newBranch = async (name: string, more = {}) =>
  dataOf(await ask('POST', '/branches', { name, timezone: 'Asia/Kolkata', ...more }), 201)
export const audited = async (action: string, resourceId: string) =>
  (
    await t.db.query('select 1 from audit_log where organisation_id = $1 and action = $2 and resource_id = $3', [
      org.organisationId,
      action,
      resourceId,
    ])
  ).length
export const windowAt = async (branchId: string, more = {}) =>
  dataOf(
    await t.send(org.key, 'POST', '/v1/appointment-slots', {
      branch_id: branchId,
      day: 'monday',
      session: 'Morning',
      ai_slots: 2,
      max_slots: 4,
      ...more,
    }),
    201,
  )
