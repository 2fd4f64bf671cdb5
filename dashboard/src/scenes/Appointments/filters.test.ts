import { expect, it } from 'vitest'
import { isNumber, listQuery, plainNumber } from './filters.ts'

it('an address becomes a query, and what makes no sense in it is left out', () => {
  const query = listQuery({
    branch: 'b1',
    from: '2026-11-16',
    to: 'soon',
    session: 'Night',
    status: 'no_show',
    booked_by: 'ai',
    contact: '+1 500-555 0001',
  })
  expect(query).toEqual({
    branch_id: 'b1',
    start_date: '2026-11-16',
    end_date: undefined,
    session: undefined,
    appointment_type_id: undefined,
    status: 'no_show',
    booked_by: 'ai',
    contact_number: '+15005550001',
  })
})

it('numbers may be typed as people write them', () => {
  expect(plainNumber('+91 (98765) 432-10')).toBe('+919876543210')
  expect([isNumber('+15005550001'), isNumber('5005550001'), isNumber('+1')]).toEqual([true, false, false])
})
