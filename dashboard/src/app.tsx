import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { createAppRouter } from './router.tsx'
import { SignIn } from './scenes/SignIn/sign-in.tsx'
import { SignedInContext, useSession } from './session.ts'
import { Loading } from './ui/loading.tsx'
import { Trouble } from './ui/trouble.tsx'
import { useTitle } from './ui/use-title.ts'

const titleOf = { in: undefined, out: 'Sign in', none: undefined } as const

/** Who nobody knows signs in, at whatever address: afterwards they are where they wanted to be. */
export function App() {
  const { data: state, error, errorUpdateCount, refetch, isFetching } = useSession()
  const [router] = useState(createAppRouter)
  useTitle(titleOf[state?.kind ?? 'none'])
  if (!state) {
    if (errorUpdateCount === 0) return <Loading />
    return <Trouble failure={error} retrying={isFetching} onRetry={() => refetch()} />
  }
  if (state.kind === 'out') return <SignIn reason={state.reason} />
  return (
    <SignedInContext value={state.session}>
      <RouterProvider router={router} />
    </SignedInContext>
  )
}
