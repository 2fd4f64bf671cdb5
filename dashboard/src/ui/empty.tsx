import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Code } from './code.tsx'

interface EmptyProps {
  title: string
  text: string
  /** The one thing to do next. */
  action?: ReactNode
  curl?: string
}

export function Empty({ title, text, action, curl }: EmptyProps) {
  return (
    <div className="empty">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      {action}
      {curl && <Code text={curl} label="curl command" />}
    </div>
  )
}
