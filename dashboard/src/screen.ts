// Which screen an address shows, and the address that screen should have.
import type { SessionState } from './session.ts'

export type Screen = 'loading' | 'trouble' | 'sign-in' | 'home' | 'not-found'

export interface Place {
  screen: Screen
  path: string
}

export function placeFor(state: SessionState | undefined, failed: boolean, path: string): Place {
  if (!state) return { screen: failed ? 'trouble' : 'loading', path }
  if (state.kind === 'out') return { screen: 'sign-in', path: '/sign-in' }
  if (path === '/' || path === '/sign-in') return { screen: 'home', path: '/' }
  return { screen: 'not-found', path }
}
