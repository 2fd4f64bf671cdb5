import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A way to another scene that looks like a button. */
export function LinkButton({ to, children, ...rest }: ButtonProps & { to: string; children: ReactNode }) {
  return (
    <Button {...rest} renderRoot={(props) => <Link to={to} {...props} />}>
      {children}
    </Button>
  )
}
