import { expect, it } from 'vitest'
import { booker, callMeLater, ordinary, uninterested } from './characters.ts'
import { createPerson } from './person.ts'
import { createSeededRandom } from './seed.ts'

const person = (character = booker, { speaksHindi = true, seed = 'seed' } = {}) =>
  createPerson({ character, speaksHindi, random: createSeededRandom(seed) })

const textOf = (acts: ReturnType<ReturnType<typeof person>['answer']>) =>
  acts.map((act) => (act.type === 'say' ? act.text : act.type))

it('says goodbye when the agent does, and leaves the hanging up to it for a while', () => {
  expect(textOf(person().answer('Thank you, goodbye.', 'en'))).toEqual([expect.stringMatching(/bye/), 'hang_up'])
})

it('answers Hindi in Hindi, and English again in English', () => {
  const someone = person(uninterested)
  expect(textOf(someone.answer('क्या आप अपॉइंटमेंट बुक करना चाहेंगे?', 'hi')).join()).toMatch(/\p{Script=Devanagari}/u)
  expect(textOf(someone.answer('Would you like to book?', 'en')).join()).toMatch(/not interested/)
})

it('answers Hindi in English when it is all they speak', () => {
  const someone = person(uninterested, { speaksHindi: false })
  expect(textOf(someone.answer('नमस्ते', 'hi')).join()).toMatch(/not interested/)
})

it('asks into the silence when the agent says nothing, and hangs up in the end', () => {
  const someone = person()
  const turns = Array.from({ length: 4 }, () => textOf(someone.answer('', 'en')).join())
  expect(turns).toEqual(['Hello?', 'Hello?', 'Hello?', 'hang_up'])
})

it('does not let a promise stand that was only a question', () => {
  const someone = person(callMeLater)
  expect(textOf(someone.answer('I will call you back at noon, is that right?', 'en'))).toEqual(['Yes, that is right.'])
  expect(textOf(someone.answer('I will call you back at noon.', 'en')).join()).toMatch(/thank you/)
})

it('never talks for ever, whatever the agent says', () => {
  for (const line of ['Shall I book it?', 'Is that right?', 'Are you still there?', 'Hm.', 'You are booked.']) {
    const someone = person()
    const turns = Array.from({ length: 40 }, () => textOf(someone.answer(line, 'en')))
    expect(turns.flat()).toContain('hang_up')
  }
})

it('ordinary people differ, and each is always the same', () => {
  const wordsOf = (seed: string) => {
    const random = createSeededRandom(seed)
    const someone = createPerson({ character: ordinary(random), speaksHindi: true, random })
    return [someone.picksUpAfter, ...Array.from({ length: 4 }, () => someone.answer('Hello.', 'en'))]
  }
  const all = Array.from({ length: 50 }, (_, index) => JSON.stringify(wordsOf(`+1202555${index}`)))
  expect(new Set(all).size).toBeGreaterThan(40)
  expect(all).toEqual(Array.from({ length: 50 }, (_, index) => JSON.stringify(wordsOf(`+1202555${index}`))))
})
