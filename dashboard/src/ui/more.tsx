import { Button } from '@mantine/core'

interface MoreProps {
  has: boolean
  busy: boolean
  onMore: () => void
}

/** The end of a list that goes on. */
export function More({ has, busy, onMore }: MoreProps) {
  if (!has) return null
  return (
    <div className="spaced">
      <Button variant="default" size="xs" loading={busy} onClick={onMore}>
        Show more
      </Button>
    </div>
  )
}
