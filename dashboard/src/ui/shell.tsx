import { AppShell, Burger, Button, Kbd } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { LiveContext, useLiveStream } from '../live.ts'
import { Account } from './account.tsx'
import { Icon } from './icons.tsx'
import { LivePill } from './live-pill.tsx'
import { Logo } from './logo.tsx'
import { Nav } from './nav.tsx'
import './shell.css'
import { useShortcuts } from './use-shortcuts.ts'

const Finder = lazy(async () => ({ default: (await import('./finder.tsx')).Finder }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }))

/** What surrounds every scene of someone signed in. */
export function Shell() {
  const live = useLiveStream()
  const [isOpen, menu] = useDisclosure(false)
  const [dialog, setDialog] = useState<'finder' | 'shortcuts' | null>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu
  useEffect(() => menu.close(), [path])
  useShortcuts({ onFind: () => setDialog('finder'), onHelp: () => setDialog('shortcuts') })
  return (
    <LiveContext value={live}>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
        padding={0}
      >
        <AppShell.Header className="bar">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            hiddenFrom="md"
            size="sm"
            aria-label="Menu"
            aria-expanded={isOpen}
          />
          <Logo />
          <span className="bar-gap" />
          <LivePill />
          <Button variant="default" size="xs" className="find" onClick={() => setDialog('finder')} aria-label="Find">
            <Icon name="search" size={16} />
            <span className="find-words">
              Find <Kbd size="xs">Ctrl K</Kbd>
            </span>
          </Button>
          <Account />
        </AppShell.Header>
        <AppShell.Navbar aria-label="Places" component="nav">
          <Nav />
        </AppShell.Navbar>
        <AppShell.Main id="content">
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <Suspense>
        {dialog === 'finder' && <Finder onClose={() => setDialog(null)} />}
        {dialog === 'shortcuts' && <Shortcuts onClose={() => setDialog(null)} />}
      </Suspense>
    </LiveContext>
  )
}
