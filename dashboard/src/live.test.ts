import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { createRefresher, readTopics, refresh } from './live.ts'

it('reads again what begins with a changed topic, and nothing else', async () => {
  const client = new QueryClient()
  client.setQueryData(['calls', 'list'], 1)
  client.setQueryData(['session'], 2)
  await refresh(client, ['calls', 'deliveries'])
  const stale = client
    .getQueryCache()
    .getAll()
    .filter((query) => query.state.isInvalidated)
  expect(stale.map((query) => query.queryKey)).toEqual([['calls', 'list']])
})

it.each([
  ['{"topics":["calls"]}', ['calls']],
  ['{', []],
  ['{"topics":5}', []],
  ['null', []],
])('topics of %s', (text, topics) => expect(readTopics(text)).toEqual(topics))

it('what changes while it is being read is read afterwards, together', async () => {
  const read: string[][] = []
  let finish = () => {}
  const again = createRefresher((topics) => {
    read.push([...topics])
    return new Promise<void>((resolve) => {
      finish = resolve
    })
  })
  const first = again(['calls'])
  await again(['calls'])
  await again(['deliveries'])
  expect(read).toEqual([['calls']])
  finish()
  await new Promise((resolve) => setTimeout(resolve))
  expect(read).toEqual([['calls'], ['calls', 'deliveries']])
  finish()
  await first
})
