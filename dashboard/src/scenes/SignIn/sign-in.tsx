import { Title } from '@mantine/core'
import type { OutReason } from '../../session.ts'
import { Logo } from '../../ui/logo.tsx'
import { SchemeToggle } from '../../ui/scheme-toggle.tsx'
import './sign-in.css'
import { SignInForm } from './sign-in-form.tsx'
import { Voice } from './voice.tsx'

const goodbyes: Record<OutReason, string | undefined> = {
  'not-yet': undefined,
  left: 'You are signed out.',
  ended: 'Your session has ended. Sign in again to go on.',
}

export function SignIn({ reason }: { reason: OutReason }) {
  return (
    <div className="sign-in">
      <aside className="sign-in-side" aria-label="About Parley">
        <Logo />
        <div className="sign-in-pitch">
          <Voice />
          <p className="sign-in-claim">Every call, accounted for.</p>
          <p className="sign-in-promise">Agents that ring once, book the appointment and always report the outcome.</p>
        </div>
      </aside>
      <main className="sign-in-main">
        <div className="sign-in-top">
          <span className="sign-in-logo">
            <Logo />
          </span>
          <SchemeToggle />
        </div>
        <div className="sign-in-box">
          <Title order={1} size="h2" mb="lg">
            Sign in
          </Title>
          <SignInForm goodbye={goodbyes[reason]} />
        </div>
      </main>
    </div>
  )
}
