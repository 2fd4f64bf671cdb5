import { expect, it } from 'vitest'
import { ApiFailure } from '../../api-failure.ts'
import { cancelAll, cancelledWords } from './cancel-all.ts'

const refused = (status: number) => new ApiFailure({ status, code: 'X', message: '', details: [] })

it('every call is asked for once; those that had begun are counted', async () => {
  const asked: string[] = []
  const ids = Array.from({ length: 11 }, (_, i) => String(i))
  const result = await cancelAll(ids, async (id) => {
    asked.push(id)
    if (id === '3') throw refused(409)
  })
  expect(asked.toSorted()).toEqual(ids.toSorted())
  expect(result).toEqual({ cancelled: 10, begun: 1 })
})

it('another refusal is told', async () => {
  await expect(cancelAll(['1'], () => Promise.reject(refused(503)))).rejects.toThrow(ApiFailure)
})

it.each([
  [{ cancelled: 1, begun: 0 }, '1 call cancelled.'],
  [{ cancelled: 2, begun: 1 }, '2 calls cancelled; 1 had already begun.'],
  [{ cancelled: 0, begun: 2 }, 'Nothing was cancelled: 2 had already begun.'],
])('%j: %s', (result, words) => expect(cancelledWords(result)).toBe(words))
