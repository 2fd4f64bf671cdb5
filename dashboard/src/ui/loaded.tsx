import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { explain } from '../explain.ts'
import { FailureNote } from './failure-note.tsx'

interface LoadedProps<T> {
  /** Of one answer or of many pages. */
  query: { data: T | undefined; error: Error | null; refetch: () => unknown; isFetching: boolean }
  /** How many lines to hint at while waiting. */
  rows?: number
  children: (data: T) => ReactNode
}

/** What was asked for; before it is there its shape, and the reason when it does not come. Old data beats no data. */
export function Loaded<T>({ query, rows = 4, children }: LoadedProps<T>) {
  const { data, error, refetch, isFetching } = query
  if (data === undefined && error === null) {
    return (
      <div className="waiting" role="status" aria-label="Loading">
        {Array.from({ length: rows }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
          <Skeleton key={at} height={28} radius="sm" />
        ))}
      </div>
    )
  }
  return (
    <>
      {error && (
        <div className="failed">
          <FailureNote explanation={explain(error)} />
          <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data !== undefined && children(data)}
    </>
  )
}
