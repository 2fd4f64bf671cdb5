// A list that is read page by page, shown as one.
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type PageOf, type Query, readPage } from './api.ts'

export function usePages<T>(queryKey: readonly unknown[], path: string, query: Query = {}) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => readPage<T>(path, { ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: PageOf<T>) => page.next_cursor ?? undefined,
    select: ({ pages: all }) => all.flatMap((page) => page.data),
  })
  return pages as UseInfiniteQueryResult<T[]>
}
