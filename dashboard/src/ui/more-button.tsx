import { Group } from '@mantine/core'
import { BusyButton } from './busy-button.tsx'

interface MoreButtonProps {
  hasMore: boolean
  busy: boolean
  onMore: () => void
}

/** The end of a list that has more to show. */
export function MoreButton({ hasMore, busy, onMore }: MoreButtonProps) {
  if (!hasMore) return null
  return (
    <Group justify="center" mt="md">
      <BusyButton variant="default" size="sm" busy={busy} busyWords="Loading…" onClick={onMore}>
        Show more
      </BusyButton>
    </Group>
  )
}
