import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import { explain } from '../explain.ts'
import { BusyButton } from './busy-button.tsx'
import { CopyId } from './copy-id.tsx'
import { Logo } from './logo.tsx'

interface TroubleProps {
  /** null while the next try is under way; what was said before then stays. */
  failure: Error | null
  retrying: boolean
  onRetry: () => void
}

/** The very first question to the server failed: there is nothing else to show. */
export function Trouble({ failure, retrying, onRetry }: TroubleProps) {
  const [shown, setShown] = useState(failure)
  if (failure && failure !== shown) setShown(failure)
  const { title, text, requestId } = explain(shown)
  return (
    <main className="centre">
      <div className="trouble">
        <Logo />
        <div role="alert">
          <Title order={1} size="h3" mt="xl">
            {title}
          </Title>
          <Text c="dimmed" mt={4}>
            {text}
          </Text>
        </div>
        {requestId && (
          <Text size="sm" c="dimmed" mt="xs">
            Request ID <CopyId id={requestId} label="request ID" />
          </Text>
        )}
        <BusyButton mt="lg" busy={retrying} busyWords="Trying again…" onClick={onRetry}>
          Try again
        </BusyButton>
      </div>
    </main>
  )
}
