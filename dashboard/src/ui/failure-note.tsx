import { Alert, Text } from '@mantine/core'
import type { Ref } from 'react'
import type { Explanation } from '../explain.ts'
import { CopyId } from './copy-id.tsx'
import { Icon } from './icons.tsx'

interface FailureNoteProps {
  explanation: Explanation
  /** To move the focus here. */
  ref?: Ref<HTMLDivElement>
}

export function FailureNote({ explanation, ref = null }: FailureNoteProps) {
  const { title, text, requestId } = explanation
  return (
    <Alert ref={ref} tabIndex={-1} color="red" title={title} icon={<Icon name="alert" />} className="failure">
      <Text size="sm">{text}</Text>
      {requestId && (
        <Text size="xs" mt={6} c="dimmed">
          Request ID <CopyId id={requestId} label="request ID" />
        </Text>
      )}
    </Alert>
  )
}
