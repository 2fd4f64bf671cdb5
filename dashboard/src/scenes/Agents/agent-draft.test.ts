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

it('no number and no branch are null, not an empty text', () => {
  expect(bodyOf(emptyDraft)).toMatchObject({ number: null, branch_id: null })
})

it('the preview fills what is always there and names what a call must bring', () => {
  expect(preview('Hello {{user_name}}, about {{order}}')).toBe('Hello Maya, about [order]')
  expect(ownPlaceholders(['user_name', 'order'])).toEqual(['order'])
})
