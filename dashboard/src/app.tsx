import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { createAppRouter } from './router.tsx'
import { SignIn } from './scenes/SignIn/sign-in.tsx'
import { SignedInContext, useSession } from './session.ts'
import { Loading } from './ui/loading.tsx'
import { Trouble } from './ui/trouble.tsx'
import { useTitle } from './ui/use-title.ts'

const Invitation = lazy(async () => ({
  default: (await import('./scenes/Invitation/invitation.tsx')).Invitation,
}))
const tokenIn = (path: string): string | undefined => /^\/invite\/(\w{1,100})\/?$/.exec(path)?.[1]

const titleOf = { in: undefined, out: 'Sign in', none: undefined } as const

/** An invitation is opened by whoever holds it. Who nobody knows signs in, at whatever address: afterwards they are where they wanted to be. */
export function App() {
  const { data: state, error, errorUpdateCount, refetch, isFetching } = useSession()
  const [router] = useState(createAppRouter)
  const token = tokenIn(window.location.pathname)
  useTitle(token ? 'Invitation' : titleOf[state?.kind ?? 'none'])
  if (!state) {
    if (errorUpdateCount === 0) return <Loading />
    return <Trouble failure={error} retrying={isFetching} onRetry={() => refetch()} />
  }
  if (token) {
    return (
      <Suspense fallback={<Loading />}>
        <Invitation token={token} signedInAs={state.kind === 'in' ? state.session.user.email : null} />
      </Suspense>
    )
  }
  if (state.kind === 'out') return <SignIn reason={state.reason} />
  return (
    <SignedInContext value={state.session}>
      <RouterProvider router={router} />
    </SignedInContext>
  )
}
