// What the sign-in form says, decided apart from the form.
import type { SignInBody } from '@parley/contract/session'
import { ApiFailure } from '../../api-failure.ts'
import { type Explanation, explain } from '../../explain.ts'

export const fieldNames = ['email', 'password'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldProblems = Partial<Record<FieldName, string>>

export interface Refusal {
  fields: FieldProblems
  /** Absent when the fields say it all. */
  notice?: Explanation
}

/** For what the server finds: what is empty or plainly no address never reaches it. */
const doubts: Record<FieldName, string> = { email: 'Check your e-mail address', password: 'Check your password' }

export function readCredentials(form: FormData): SignInBody {
  const read = (name: FieldName) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { email: read('email').trim(), password: read('password') }
}

/** Only what is certain to be refused; the server judges the rest. */
export function checkCredentials({ email, password }: SignInBody): FieldProblems {
  const problems: FieldProblems = {}
  if (email === '') problems.email = 'Enter your e-mail address'
  else if (!/^\S+@\S+$/.test(email)) problems.email = 'Enter a complete e-mail address, like name@company.com'
  if (password === '') problems.password = 'Enter your password'
  return problems
}

export const firstProblem = (problems: FieldProblems): FieldName | undefined =>
  fieldNames.find((name) => problems[name] !== undefined)

export function explainRefusal(failure: unknown): Refusal {
  if (!(failure instanceof ApiFailure)) return { fields: {}, notice: explain(failure) }
  const { code, details, requestId } = failure.facts
  if (code === 'UNAUTHENTICATED') {
    const title = 'That e-mail and password do not match'
    return { fields: {}, notice: { title, text: 'Check both, then try again.', requestId } }
  }
  if (code === 'VALIDATION_ERROR') {
    const faulty = fieldNames.filter((name) => details.some((fault) => fault.field === name))
    const fields = Object.fromEntries(faulty.map((name) => [name, doubts[name]]))
    const title = 'Parley could not accept that'
    const notice = { title, text: 'Correct what is marked below, then try again.', requestId }
    return { fields, notice: faulty.length > 0 ? notice : explain(failure) }
  }
  return { fields: {}, notice: explain(failure) }
}
