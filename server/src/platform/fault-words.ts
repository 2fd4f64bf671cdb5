import type { ErrorObject } from 'ajv'

// What a schema says, for people: what would be right, never a regular expression or a keyword.

const patternWords: Record<string, string> = {
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'Write a date as YYYY-MM-DD.',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'Write a time as HH:MM, 00:00 to 23:59.',
  '^[^\\s@]+@[^\\s@]+$': 'Write an e-mail address.',
  '^[A-Za-z]{2,}([-_][A-Za-z0-9]{1,8})*$': 'Write a language tag such as en or en-IN.',
  '^[!-~]{1,255}$': 'Use 1 to 255 visible ASCII characters, without spaces.',
  '\\S': 'This must not be blank.',
  '^\\+?[0-9]{1,15}$': 'Write at most 15 digits, with or without a plus sign before them.',
  '^\\+?[0-9]{2,15}$': 'Write 2 to 15 digits, with or without a plus sign before them.',
  '^[A-Za-z0-9._:-]+$': 'Write a name or an address, without a port.',
  '^[^\\s<>"@:;]+$': 'Leave out spaces and the characters < > " @ : and ;.',
  '^[a-z_]{1,40}$': 'Use at most 40 lowercase letters and underscores.',
}

const typeWords: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a list',
}

/** Keywords whose fault needs no other field than the one it is found in. */
export function faultWords({ keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>): string {
  const limit = Number(params.limit)
  switch (keyword) {
    case 'type':
      return `This must be ${listed([params.type].flat().map((type) => typeWords[type] ?? type))}.`
    case 'pattern':
      return patternWords[params.pattern] ?? vague
    case 'enum':
      return `Use one of: ${params.allowedValues.join(', ')}.`
    case 'const':
      return `This must be ${params.allowedValue}.`
    case 'minLength':
      return limit === 1 ? 'This must not be empty.' : `This must have at least ${counted(limit)} characters.`
    case 'maxLength':
      return `At most ${counted(limit)} characters.`
    case 'minimum':
      return `This must be ${counted(limit)} or more.`
    case 'maximum':
      return `This must be ${counted(limit)} or less.`
    case 'minItems':
      return limit === 1 ? 'Give at least one.' : `Give at least ${counted(limit)}.`
    case 'maxItems':
      return `At most ${counted(limit)} items.`
    case 'minProperties':
      return 'Give at least one field.'
    case 'maxProperties':
      return `At most ${counted(limit)} pairs.`
    case 'uniqueItems':
      return 'Name each only once.'
    default:
      return vague
  }
}

const vague = 'This is not valid.'
const counted = (count: number): string => count.toLocaleString('en')
const listed = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' or $1')
