// Who is signed in: one cached answer, looked at again whenever the window is returned to.
import { MutationCache, QueryCache, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { fetchSession, type Session, signIn, signOut } from './api.ts'
import { ApiFailure, isUnauthenticated } from './api-failure.ts'

const key = ['session']

/** Why nobody is signed in: not yet, by their own wish, or because the server ended the session. */
export type OutReason = 'not-yet' | 'left' | 'ended'
export type SessionState = { kind: 'in'; session: Session } | { kind: 'out'; reason: OutReason }

export function nextState(previous: SessionState | undefined, found: Session | null): SessionState {
  if (found) return { kind: 'in', session: found }
  if (previous?.kind === 'in') return { kind: 'out', reason: 'ended' }
  return previous ?? { kind: 'out', reason: 'not-yet' }
}

/** Silence and the server's own faults may pass; a refusal will not. */
export function worthRetrying(priorFailures: number, failure: unknown): boolean {
  if (!(failure instanceof ApiFailure) || priorFailures >= 2) return false
  return failure.facts.status === 0 || failure.facts.status >= 500
}

// networkMode: a laptop that believes itself offline can still reach a server on the same machine.
export function createQueryClient(): QueryClient {
  // Whatever was refused for want of a session: look whether there still is one.
  const onError = (failure: unknown) => {
    if (isUnauthenticated(failure)) void client.invalidateQueries({ queryKey: key })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: worthRetrying, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

export const SignedInContext = createContext<Session | null>(null)

/** Who is signed in, for everything inside the shell. */
export function useSignedIn(): Session {
  const session = useContext(SignedInContext)
  if (!session) throw new Error('Nobody is signed in.')
  return session
}

/** Owners and admins change how the organisation is set up; staff run the day; viewers look. */
export function useMay(what: 'manage' | 'work'): boolean {
  const { role } = useSignedIn().user
  return what === 'manage' ? role === 'owner' || role === 'admin' : role !== 'viewer'
}

export function useSession() {
  const client = useQueryClient()
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => nextState(client.getQueryData<SessionState>(key), await fetchSession(signal)),
    staleTime: 30_000,
  })
}

/** A check still under way would answer with what was true before: it is dropped first. */
async function settle(client: QueryClient, state: SessionState): Promise<void> {
  await client.cancelQueries({ queryKey: key })
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== key[0] })
  client.setQueryData(key, state)
}

export function useSignIn() {
  const client = useQueryClient()
  return useMutation({ mutationFn: signIn, onSuccess: (session) => settle(client, { kind: 'in', session }) })
}

export function useSignOut() {
  const client = useQueryClient()
  return useMutation({ mutationFn: signOut, onSuccess: () => settle(client, { kind: 'out', reason: 'left' }) })
}
