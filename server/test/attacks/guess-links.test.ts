import { expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'
import { sharing, sharingOf } from '../sharing/shared.ts'

const tries = 10_000
const letters = '0123456789abcdefghijklmnopqrstuvwxyz'

it(`${tries} near misses of a share token are all 404, and none takes longer than a call that never was`, async () => {
  const clock = testClock()
  const t = await createTestApp({ clock })
  const s = sharingOf(t, clock)
  const org = await t.organisation(sharing())
  const made = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001' })
  const { token } = await s.link(org, made.json().data.call_id)
  const shared: string = made.json().data.call_id
  const unshared = await t.send(org.key, 'POST', '/v1/calls', { agent_id: org.agentId, user_number: '+15005550001' })

  /** Another letter at this place; the n-th of the thirty-five there are. */
  const changed = (place: number, n: number) => {
    const was = letters.indexOf(token[place] ?? '0')
    return token.slice(0, place) + letters[(was + 1 + (n % 35)) % 36] + token.slice(place + 1)
  }
  const last = token.length - 1
  const ways: Record<string, (n: number) => [string, string]> = {
    'first letter wrong': (n) => [shared, changed(0, n)],
    'last letter wrong': (n) => [shared, changed(last, n)],
    'one letter wrong': (n) => [shared, changed(n % token.length, Math.floor(n / token.length))],
    'an end missing': (n) => [shared, token.slice(0, last - (n % last))],
    'too long': (n) => [shared, token + letters[n % 36]],
    'a call without a link': (n) => [unshared.json().data.call_id, changed(last, n)],
    'no such call': (n) => [`call_${n.toString(16).padStart(32, '0')}`, token],
  }
  const names = Object.keys(ways)
  const tookMs: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]))
  const statuses = new Set<number>()
  for (let n = 0; n < tries; n += 1) {
    const name = names[n % names.length] as string
    const [callId, guess] = ways[name]?.(Math.floor(n / names.length)) ?? ['', '']
    const began = performance.now()
    const answer = await t.app.inject(`/public/call/${callId}?token=${guess}`)
    tookMs[name]?.push(performance.now() - began)
    statuses.add(answer.statusCode)
  }
  expect([...statuses]).toEqual([404])
  expect((await t.app.inject(`/public/call/${shared}?token=${token}`)).statusCode).toBe(200)
  // Medians of interleaved tries: on a busy machine, too, they stay together.
  const medians = names.map(
    (name) => tookMs[name]?.toSorted((a, b) => a - b)[Math.floor(tries / names.length / 2)] ?? 0,
  )
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.5)
}, 180_000)
