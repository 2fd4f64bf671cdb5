import { describe, expect, it } from 'vitest'
import { ApiFailure, type FailureFacts } from '../../api-failure.ts'
import { checkCredentials, explainRefusal, firstProblem, readCredentials } from './credentials.ts'

const failure = (facts: Partial<FailureFacts>) =>
  new ApiFailure({ status: 400, code: 'VALIDATION_ERROR', message: '', details: [], requestId: 'req_1', ...facts })
const fault = (field: string) => ({ field, code: 'invalid', message: 'must match format' })

describe('readCredentials', () => {
  it('trims the e-mail and never the password', () => {
    const form = new FormData()
    form.set('email', ' owner@acme.test ')
    form.set('password', ' with spaces ')
    expect(readCredentials(form)).toEqual({ email: 'owner@acme.test', password: ' with spaces ' })
  })
  it('takes a missing field as empty', () => {
    expect(readCredentials(new FormData())).toEqual({ email: '', password: '' })
  })
})

describe('checkCredentials', () => {
  it('names every empty field at once', () => {
    expect(checkCredentials({ email: '', password: '' })).toEqual({
      email: 'Enter your e-mail address',
      password: 'Enter your password',
    })
  })
  it.each(['owner', 'owner@', '@acme.test', 'o wner@acme.test'])('asks for the whole address for %j', (email) => {
    expect(checkCredentials({ email, password: 'p' }).email).toMatch(/complete e-mail address/)
  })
  it('lets the server judge the rest', () => {
    expect(checkCredentials({ email: 'owner@localhost', password: ' ' })).toEqual({})
  })
})

describe('firstProblem', () => {
  it('goes in the order of the form', () => {
    expect(firstProblem({ password: 'x', email: 'y' })).toBe('email')
    expect(firstProblem({ password: 'x' })).toBe('password')
    expect(firstProblem({})).toBeUndefined()
  })
})

describe('explainRefusal', () => {
  it('does not tell which of e-mail and password was wrong', () => {
    const { fields, notice } = explainRefusal(failure({ status: 401, code: 'UNAUTHENTICATED' }))
    expect(fields).toEqual({})
    expect(notice).toMatchObject({ title: 'That e-mail and password do not match', requestId: 'req_1' })
  })
  it('puts plain words beside the faulty fields and keeps the request id', () => {
    const { fields, notice } = explainRefusal(failure({ details: [fault('email'), fault('password')] }))
    expect(fields).toEqual({ email: 'Check your e-mail address', password: 'Check your password' })
    expect(notice?.requestId).toBe('req_1')
  })
  it('repeats the server for a fault that is in no field of the form', () => {
    const { fields, notice } = explainRefusal(failure({ message: 'Unknown field otp', details: [fault('otp')] }))
    expect(fields).toEqual({})
    expect(notice).toMatchObject({ text: 'Unknown field otp', requestId: 'req_1' })
  })
  it('explains anything else as everywhere', () => {
    expect(explainRefusal(failure({ status: 429, code: 'RATE_LIMITED' })).notice?.title).toBe('Too many attempts')
    expect(explainRefusal(new TypeError()).notice?.title).toBe('Something went wrong in this page')
  })
})
