import { expect, it } from 'vitest'
import { progressOf } from './checklist-steps.ts'

const all = { agent: true, number: true, api_key: true, test_call: true, webhook: true, calendar: true }

it('the first step that is not done is the next one, whatever is done after it', () => {
  const { steps, done, isComplete } = progressOf({ ...all, number: false, webhook: false })
  expect(steps.filter((each) => each.isNext).map((each) => each.key)).toEqual(['number'])
  expect([done, isComplete]).toEqual([4, false])
})

it('is complete when everything is there', () => {
  expect(progressOf(all)).toMatchObject({ done: 6, isComplete: true })
})
