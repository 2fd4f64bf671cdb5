// The form of a new call: what is filled in, what is wrong with it, and the request it becomes.
import type { AdditionalInfo, additionalInfoLimits, Call, CreateCallBody } from '@parley/contract/calls'
import { instantOf, isoWithOffset, isZone } from '../../zoned-time.ts'
import { checkNumber } from './phone.ts'

export const infoLimits: typeof additionalInfoLimits = { pairs: 25, keyLength: 64, valueLength: 1000 }

/** As the server counts: an emoji is one character. */
export const lengthOf = (text: string): number => [...text].length

export interface InfoPair {
  /** Of the row, so that typing in one does not move the focus. */
  id: number
  key: string
  value: string
}

export interface CallForm {
  agentId: string
  number: string
  name: string
  email: string
  language: string
  when: 'now' | 'later'
  date: string
  time: string
  zone: string
  info: InfoPair[]
}

export type FormFaults = Partial<
  Record<'agent_id' | 'user_number' | 'user_email' | 'scheduled_time' | 'additional_info', string>
>

export const emptyForm = (zone: string): CallForm => ({
  agentId: '',
  number: '',
  name: '',
  email: '',
  language: '',
  when: 'now',
  date: '',
  time: '',
  zone,
  info: [],
})

/** Everything of an earlier call but its time. */
export const formOfCall = (call: Call, zone: string): CallForm => ({
  ...emptyForm(zone),
  agentId: call.agent_id,
  number: call.contact_number ?? '',
  name: call.contact_name ?? '',
  email: call.contact_email ?? '',
  language: call.contact_preferred_language ?? '',
  info: Object.entries(call.additional_info ?? {}).map(([key, value], id) => ({ id, key, value: String(value ?? '') })),
})

export const scheduledAt = ({ when, date, time, zone }: CallForm): Date | null =>
  when === 'later' && isZone(zone) ? instantOf({ date, time }, zone) : null

export function infoFault(info: readonly InfoPair[]): string | undefined {
  const used = info.filter(({ key, value }) => key.trim() !== '' || value !== '')
  const keys = used.map(({ key }) => key.trim())
  if (used.length > infoLimits.pairs) return `At most ${infoLimits.pairs} pairs.`
  if (keys.includes('')) return 'Give every value a name.'
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return `The name ${twice} is there twice.`
  if (keys.some((key) => lengthOf(key) > infoLimits.keyLength))
    return `A name has at most ${infoLimits.keyLength} characters.`
  if (keys.includes('__proto__')) return 'Use another name than __proto__.'
  if (used.some(({ value }) => lengthOf(value) > infoLimits.valueLength))
    return `A value has at most ${infoLimits.valueLength.toLocaleString('en')} characters.`
  return undefined
}

const emailPattern = /^[^\s@]+@[^\s@]+$/

export function formFaults(form: CallForm, now: Date): FormFaults {
  const faults: FormFaults = {}
  const number = checkNumber(form.number)
  if (form.agentId === '') faults.agent_id = 'Choose who calls.'
  if (number.state === 'empty') faults.user_number = 'Say which number to call.'
  if (number.state === 'unfinished') faults.user_number = number.hint
  if (number.state === 'bad') faults.user_number = number.words
  if (form.email.trim() !== '' && !emailPattern.test(form.email.trim()))
    faults.user_email = 'This is no e-mail address.'
  if (form.when === 'later') {
    const at = scheduledAt(form)
    const yearAhead = new Date(now)
    yearAhead.setUTCFullYear(now.getUTCFullYear() + 1)
    if (!isZone(form.zone)) faults.scheduled_time = 'Choose a time zone from the list.'
    else if (!at) faults.scheduled_time = 'Choose a day and a time.'
    else if (at <= now) faults.scheduled_time = 'This time has passed.'
    else if (at > yearAhead) faults.scheduled_time = 'Choose a time within a year.'
  }
  const info = infoFault(form.info)
  if (info) faults.additional_info = info
  return faults
}

/** Only what is filled in. */
export function bodyOf(form: CallForm): CreateCallBody {
  const number = checkNumber(form.number)
  const at = scheduledAt(form)
  const info: AdditionalInfo = Object.fromEntries(
    form.info.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  )
  const texts = { user_name: form.name, user_email: form.email, user_preferred_language: form.language }
  const filled = Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]]))
  return {
    agent_id: form.agentId,
    user_number: number.state === 'good' ? number.number : form.number,
    ...Object.fromEntries(filled),
    ...(Object.keys(info).length > 0 ? { additional_info: info } : {}),
    ...(at ? { scheduled_time: isoWithOffset(at, form.zone) } : {}),
  }
}

const own: Record<string, (form: CallForm) => string> = {
  user_name: (form) => form.name,
  user_email: (form) => form.email,
  user_number: (form) => form.number,
}

/** What the agent wants to say and nobody has filled in. */
export const missingPlaceholders = (form: CallForm, placeholders: readonly string[]): string[] =>
  placeholders.filter((name) => {
    const value = own[name]?.(form) ?? form.info.find(({ key }) => key.trim() === name)?.value ?? ''
    return value.trim() === ''
  })

export const isOwnPlaceholder = (name: string): boolean => name in own
