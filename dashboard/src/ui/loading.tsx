import { Loader, VisuallyHidden } from '@mantine/core'

/** Fades in late: most checks are over before it would be seen. */
export function Loading() {
  return (
    <main className="centre loading">
      <Loader size="sm" />
      <VisuallyHidden role="status">Loading</VisuallyHidden>
    </main>
  )
}
