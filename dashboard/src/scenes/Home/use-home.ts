import type { Home, LiveCalls } from '@parley/contract/home'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { read } from '../../api.ts'

// A busy organisation changes all the time. What is in the air is read at every change, which costs little; the day's
// counts a little after it.
const settleMs = 2_000
const pollMs = 30_000

export function useHome() {
  const client = useQueryClient()
  const live = useQuery({
    queryKey: ['calls', 'live'],
    queryFn: ({ signal }) => read<LiveCalls>('/api/home/live', {}, signal),
  })
  const home = useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => read<Home>('/api/home', {}, signal),
    refetchInterval: pollMs,
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const seen = live.dataUpdatedAt
  useEffect(() => {
    if (seen === 0) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: ['home'] })
    }, settleMs)
  }, [seen, client])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { live, home }
}
