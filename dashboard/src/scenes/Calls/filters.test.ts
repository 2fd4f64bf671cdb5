import { expect, it } from 'vitest'
import { readFilters, toggleStatus, toQuery } from './filters.ts'

it('whatever is no filter is left out', () => {
  const search = {
    status: 'failed,queued',
    agent: 'x',
    outcome: 'nope',
    direction: 'inbound',
    from: '2026-13-01',
    a: '1',
  }
  expect(readFilters(search)).toEqual({ status: 'failed,queued', direction: 'inbound' })
  expect(readFilters({ status: 'failed,gone', q: '  ' })).toEqual({})
})

it('days are days of the zone, the last one whole', () => {
  expect(toQuery({ from: '2026-11-15', to: '2026-11-15' }, 'Asia/Kolkata')).toMatchObject({
    created_from: '2026-11-14T18:30:00.000Z',
    created_to: '2026-11-15T18:30:00.000Z',
  })
})

it('states are switched one by one, in the order of a call’s life', () => {
  expect(toggleStatus(undefined, 'failed')).toBe('failed')
  expect(toggleStatus('failed', 'queued')).toBe('queued,failed')
  expect(toggleStatus('failed', 'failed')).toBeUndefined()
})
