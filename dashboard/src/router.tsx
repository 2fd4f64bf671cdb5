import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { NotFound } from './scenes/Home/not-found.tsx'
import { Loading } from './ui/loading.tsx'
import { Shell } from './ui/shell.tsx'
import { Trouble } from './ui/trouble.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

type Search = Record<string, string>
/** Filters stand in the address as plain texts; whatever else somebody writes there is left out. */
const plainTexts = (search: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
      .map(([name, value]) => [name, String(value)]),
  )

/** Each scene is loaded when it is first visited. */
const scene = (path: string, load: () => Promise<RouteComponent>) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: plainTexts,
    component: lazyRouteComponent(async () => ({ default: await load() })),
  })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/' })
  },
})

const routes = [signIn, scene('/', async () => (await import('./scenes/Home/home.tsx')).Home)]

export const createAppRouter = () =>
  createRouter({
    routeTree: root.addChildren(routes),
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <Trouble failure={error as Error} retrying={false} onRetry={reset} />,
    // Filters are written as they are read: plain texts, so that an address can be typed by hand.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
      const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
