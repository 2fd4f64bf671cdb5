// What the sign-in form says, decided apart from the form.
import { ApiFailure } from '../../api-failure.ts'
import { type Explanation, explain } from '../../explain.ts'

export interface Credentials {
  email: string
  password: string
}

export const fieldNames = ['email', 'password'] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldProblems = Partial<Record<FieldName, string>>

export interface Refusal {
  fields: FieldProblems
  /** Absent when the fields say it all. */
  notice?: Explanation
}

const incompleteEmail = 'Enter a complete e-mail address, like name@company.com'
const fieldWords: Record<FieldName, string> = { email: incompleteEmail, password: 'Enter your password' }

export function readCredentials(form: FormData): Credentials {
  const read = (name: FieldName) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return { email: read('email').trim(), password: read('password') }
}

/** Only what is certain to be refused; the server judges the rest. */
export function checkCredentials({ email, password }: Credentials): FieldProblems {
  const problems: FieldProblems = {}
  if (email === '') problems.email = 'Enter your e-mail address'
  else if (!/^\S+@\S+$/.test(email)) problems.email = incompleteEmail
  if (password === '') problems.password = fieldWords.password
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
    const fields = Object.fromEntries(faulty.map((name) => [name, fieldWords[name]]))
    const title = 'Parley could not accept that'
    const notice = { title, text: 'Check what you entered, then try again.', requestId }
    return { fields, notice: faulty.length > 0 ? notice : explain(failure) }
  }
  return { fields: {}, notice: explain(failure) }
}
