import type { DialRefused } from '../../voice/ports.ts'
import type { Callee } from './callee.ts'
import {
  booker,
  type Character,
  callMeLater,
  hangsUpHalfWay,
  losesTheLine,
  ordinary,
  uninterested,
  wantsHuman,
} from './characters.ts'
import { createPerson } from './person.ts'
import { createSeededRandom, pick, pickSeconds } from './seed.ts'

export type Cast =
  | { type: 'callee'; callee: Callee }
  | { type: 'engaged' }
  | { type: 'refused'; reason: DialRefused['reason']; message: string }

type Random = () => number

/** The public table of decisions 4: the last four digits of +1500555… and +91500555… */
const table: Record<string, (random: Random) => Cast> = {
  '0001': person(booker),
  '0002': () => ({ type: 'engaged' }),
  '0003': (random) => ({ type: 'callee', callee: { ...silent(random), picksUpAfter: null } }),
  '0004': () => ({ type: 'refused', reason: 'invalid_number', message: 'This number does not exist.' }),
  '0005': () => ({ type: 'refused', reason: 'carrier_error', message: 'The carrier could not place the call.' }),
  '0006': (random) => ({ type: 'callee', callee: voicemail(random) }),
  '0007': person(callMeLater),
  '0008': person(uninterested),
  '0009': person(wantsHuman),
  '0010': person(hangsUpHalfWay),
  '0011': (random) => ({ type: 'callee', callee: silent(random) }),
  '0012': person(losesTheLine),
}

/** Who answers this number: the same one, in the same words, every time. */
export function castCallee(number: string): Cast {
  const random = createSeededRandom(number)
  const special = /^\+(?:1|91)500555(\d{4})$/.exec(number)?.[1]
  const cast = special === undefined ? undefined : table[special]
  if (cast !== undefined) return cast(random)
  const speaksHindi = random() < 0.5
  return { type: 'callee', callee: createPerson({ character: ordinary(random), speaksHindi, random }) }
}

function person(character: Character): (random: Random) => Cast {
  return (random) => ({ type: 'callee', callee: createPerson({ character, speaksHindi: true, random }) })
}

const silent = (random: Random): Callee => ({
  picksUpAfter: pickSeconds(random, 2, 8),
  pickUp: () => [],
  overhear: () => [],
  answer: () => [],
})

/** A machine: it plays its announcement whatever it hears, records for a while, and ends the call. */
function voicemail(random: Random): Callee {
  const name = pick(random, ['Priya Sharma', 'Rahul Verma', 'Alex Morgan', 'Sam Taylor'])
  const text = `Hi, you have reached the voicemail of ${name}. Please leave a message after the tone.`
  return {
    ...silent(random),
    pickUp: () => [
      { type: 'say', after: 0.5, text },
      { type: 'beep', after: 0.8 },
      { type: 'hang_up', after: 60 },
    ],
  }
}
