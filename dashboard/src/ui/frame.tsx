import type { ReactNode } from 'react'
import { explain } from '../explain.ts'
import { useSignOut } from '../session.ts'
import { BusyButton } from './busy-button.tsx'
import { FailureNote } from './failure-note.tsx'
import { Logo } from './logo.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'

/** What surrounds every scene of someone signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const leaving = useSignOut()
  return (
    <div className="frame">
      <header className="frame-header">
        <div className="frame-inner frame-bar">
          <Logo />
          <div className="frame-tools">
            <SchemeToggle />
            <BusyButton
              variant="default"
              size="xs"
              busy={leaving.isPending}
              busyWords="Signing out…"
              onClick={() => leaving.mutate()}
            >
              Sign out
            </BusyButton>
          </div>
        </div>
      </header>
      <main className="frame-inner frame-main">
        {leaving.error && <FailureNote explanation={{ ...explain(leaving.error), title: 'You are still signed in' }} />}
        {children}
      </main>
    </div>
  )
}
