import { expect, it } from 'vitest'
import { bodyOf, changesIn, emptyDraft, ownPlaceholders, preview } from './agent-draft.ts'

it('only what was changed is sent', () => {
  const now = { ...emptyDraft, name: ' Asha ', on: ['busy' as const] }
  expect(changesIn(emptyDraft, now)).toEqual({
    name: 'Asha',
    retry: { max_attempts: 1, delay: '60s', on: ['busy'] },
  })
  expect(changesIn(now, { ...now })).toEqual({})
})

it('no number, no branch and nobody to put through to are null, not an empty text', () => {
  expect(bodyOf(emptyDraft)).toMatchObject({ number: null, branch_id: null, transfer_to: null })
})

it('whom people are put through to may be written as people write numbers', () => {
  const now = { ...emptyDraft, transfer_to: ' 001 (415) 555-0123 ' }
  expect(changesIn(emptyDraft, now)).toEqual({ transfer_to: '+14155550123' })
  expect(changesIn(now, emptyDraft)).toEqual({ transfer_to: null })
})

it('the preview fills what is always there and names what a call must bring', () => {
  expect(preview('Hello {{user_name}}, about {{order}}')).toBe('Hello Maya, about [order]')
  expect(ownPlaceholders(['user_name', 'order'])).toEqual(['order'])
})
