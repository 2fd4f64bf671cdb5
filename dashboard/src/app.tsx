import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { Home } from './scenes/Home/home.tsx'
import { NotFound } from './scenes/Home/not-found.tsx'
import { SignIn } from './scenes/SignIn/sign-in.tsx'
import { placeFor, type Screen } from './screen.ts'
import { useSession } from './session.ts'
import { Frame } from './ui/frame.tsx'
import { Loading } from './ui/loading.tsx'
import { Trouble } from './ui/trouble.tsx'

const titles: Record<Screen, string> = {
  loading: 'Parley',
  trouble: 'Not available · Parley',
  'sign-in': 'Sign in · Parley',
  home: 'Home · Parley',
  'not-found': 'Page not found · Parley',
}

/** When one screen takes another's place, the keyboard and the screen reader go along. */
function useArrival(screen: Screen): void {
  const previous = useRef<Screen>('loading')
  useEffect(() => {
    if (previous.current !== 'loading' && previous.current !== screen) {
      document.querySelector<HTMLElement>('[data-arrival]')?.focus()
    }
    previous.current = screen
  }, [screen])
}

export function App() {
  const { data: state, error, errorUpdateCount, refetch, isFetching } = useSession()
  const { screen, path } = placeFor(state, errorUpdateCount > 0, window.location.pathname)
  useDocumentTitle(titles[screen])
  useArrival(screen)
  useEffect(() => {
    if (window.location.pathname !== path) window.history.replaceState(null, '', path)
  }, [path])

  if (!state) {
    if (screen === 'loading') return <Loading />
    return <Trouble failure={error} retrying={isFetching} onRetry={() => refetch()} />
  }
  if (state.kind === 'out') return <SignIn reason={state.reason} />
  return <Frame>{screen === 'not-found' ? <NotFound /> : <Home session={state.session} />}</Frame>
}
