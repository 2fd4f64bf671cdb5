import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface PanelProps {
  title?: string
  actions?: ReactNode
  children: ReactNode
  className?: string
}

export function Panel({ title, actions, children, className = '' }: PanelProps) {
  const id = useId()
  return (
    <Paper
      component="section"
      withBorder
      radius="lg"
      className={`panel ${className}`}
      {...(title ? { 'aria-labelledby': id } : {})}
    >
      {title && (
        <div className="panel-head">
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {actions}
        </div>
      )}
      {children}
    </Paper>
  )
}
