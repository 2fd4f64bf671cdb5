import { describe, expect, it } from 'vitest'
import { destinations, placeOf } from './places.ts'

describe('where a pasted text leads', () => {
  it.each([
    ['call_01abc', '/calls/call_01abc'],
    [' whe_01abc ', '/webhooks/whe_01abc'],
    ['dlv_01abc', '/webhooks/deliveries/dlv_01abc'],
    ['agt_01abc', '/agents/agt_01abc'],
    ['+15005550001', '/calls?q=%2B15005550001'],
    ['call_../../x', null],
    ['Maya', null],
  ])('%s', (text, place) => expect(placeOf(text)).toBe(place))
})

it('every place has a key of its own', () => {
  expect(new Set(destinations.map((each) => each.key)).size).toBe(destinations.length)
})
