import { Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTitle } from './use-title.ts'

interface PageProps {
  title: string
  /** One sentence: what this page is for. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

let isFirst = true

/** The frame of every scene. When one scene takes another's place, the keyboard and the screen reader go along. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <div className="page">
      <div className="page-head">
        <div className="page-words">
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {lead && <Text c="dimmed">{lead}</Text>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
