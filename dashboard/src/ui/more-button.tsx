import { Group } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { BusyButton } from './busy-button.tsx'

type MoreButtonProps = {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}

/** The end of a list that has more to show. */
export function MoreButton({ list }: MoreButtonProps) {
  if (!list.hasNextPage) return null
  return (
    <Group justify="center" mt="md">
      <BusyButton
        variant="default"
        size="sm"
        busy={list.isFetchingNextPage}
        busyWords="Loading…"
        onClick={() => void list.fetchNextPage()}
      >
        Show more
      </BusyButton>
    </Group>
  )
}
