// What the list reads and does. Keys begin with `calls`: whatever happens to a call is read again by itself.
import type { CallCounts, CallLine } from '@parley/contract/dashboard-calls'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { read, readPage } from '../../api.ts'
import { useSignedIn } from '../../session.ts'
import { type Filters, toQuery } from './filters.ts'

const pageSize = 50

export function useCalls(filters: Filters) {
  const { timezone } = useSignedIn().organisation
  const query = toQuery(filters, timezone)
  return useInfiniteQuery({
    queryKey: ['calls', 'list', query],
    queryFn: ({ pageParam, signal }) =>
      readPage<CallLine>('/api/calls', { ...query, limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  })
}

export function useCallCounts(filters: Filters) {
  const { timezone } = useSignedIn().organisation
  const { status: _any, ...query } = toQuery(filters, timezone)
  return useQuery({
    queryKey: ['calls', 'counts', query],
    queryFn: ({ signal }) => read<CallCounts>('/api/calls/counts', query, signal),
    placeholderData: keepPreviousData,
  })
}
