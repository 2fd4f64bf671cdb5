import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { readTopics, refresh } from './live.ts'

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
