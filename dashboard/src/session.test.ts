import { describe, expect, it } from 'vitest'
import type { Session } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { nextState, type SessionState, worthRetrying } from './session.ts'

const session: Session = {
  user: { user_id: 'usr_1', email: 'owner@acme.test', role: 'owner' },
  organisation: { organisation_id: 'org_1', name: 'Acme Clinic', plan: 'base', timezone: 'UTC' },
}
const inside: SessionState = { kind: 'in', session }
const left: SessionState = { kind: 'out', reason: 'left' }

describe('nextState', () => {
  it('is out at first when nobody is signed in', () => {
    expect(nextState(undefined, null)).toEqual({ kind: 'out', reason: 'not-yet' })
  })
  it('says that the session ended when it was there before', () => {
    expect(nextState(inside, null)).toEqual({ kind: 'out', reason: 'ended' })
  })
  it('keeps the reason at later looks', () => expect(nextState(left, null)).toBe(left))
  it('is in when a session is found, also after signing in elsewhere', () => {
    expect(nextState(left, session)).toEqual(inside)
  })
})

describe('worthRetrying', () => {
  const failure = (status: number) => new ApiFailure({ status, code: 'X', message: '', details: [] })
  it.each([0, 500, 503])('tries %i again, twice', (status) => {
    expect([0, 1, 2].map((prior) => worthRetrying(prior, failure(status)))).toEqual([true, true, false])
  })
  it.each([400, 403, 429])('never tries %i again', (status) => expect(worthRetrying(0, failure(status))).toBe(false))
  it('never repeats a fault of our own', () => expect(worthRetrying(0, new TypeError())).toBe(false))
})
