// What has changed elsewhere is read again: the server says which kinds of things, the cache knows who shows them.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'

export type LiveState = 'connecting' | 'live' | 'reconnecting'

/** Queries begin their key with a topic of the server's: calls, appointments, slots, deliveries, hook. */
export const refresh = (client: QueryClient, topics: readonly string[]): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey }) => topics.includes(String(queryKey[0])) })

/** One reading after the other: in a busy organisation news comes faster than it is read, and must not stop the reading. */
export function createRefresher(read: (topics: readonly string[]) => Promise<unknown>) {
  const waiting = new Set<string>()
  let isReading = false
  return async (topics: readonly string[]): Promise<void> => {
    for (const topic of topics) waiting.add(topic)
    if (isReading) return
    isReading = true
    while (waiting.size > 0) {
      const now = [...waiting]
      waiting.clear()
      await read(now).catch(() => {})
    }
    isReading = false
  }
}

export function readTopics(data: unknown): string[] {
  try {
    const { topics } = JSON.parse(String(data)) as { topics?: unknown }
    return Array.isArray(topics) ? topics.map(String) : []
  } catch {
    return []
  }
}

/** While the stream is down, everything is read again from time to time. */
const pollMs = 15_000

/** Once, around everything that is shown to someone signed in. */
export function useLiveStream(): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    const source = new EventSource('/api/stream')
    let wasDown = false
    let timer: ReturnType<typeof setInterval> | undefined
    source.addEventListener('listening', () => {
      clearInterval(timer)
      timer = undefined
      setState('live')
      // Nobody told us what happened meanwhile.
      if (wasDown) void client.invalidateQueries()
      wasDown = false
    })
    const readAgain = createRefresher((topics) => refresh(client, topics))
    source.addEventListener('changed', (event) => void readAgain(readTopics(event.data)))
    source.addEventListener('error', () => {
      wasDown = true
      setState('reconnecting')
      timer ??= setInterval(() => void client.invalidateQueries(), pollMs)
    })
    return () => {
      clearInterval(timer)
      source.close()
    }
  }, [client])
  return state
}

export const LiveContext = createContext<LiveState>('connecting')
export const useLive = (): LiveState => useContext(LiveContext)
