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
const scene = <const Path extends string>(path: Path, load: () => Promise<RouteComponent>) =>
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

const routes = [
  signIn,
  scene('/', async () => (await import('./scenes/Home/home.tsx')).Home),
  scene('/calls', async () => (await import('./scenes/Calls/calls.tsx')).Calls),
  scene('/calls/new', async () => (await import('./scenes/NewCall/new-call.tsx')).NewCall),
  scene('/calls/bulk', async () => (await import('./scenes/BulkCalls/bulk-calls.tsx')).BulkCalls),
  scene('/calls/$callId', async () => (await import('./scenes/CallDetail/call-detail.tsx')).CallDetail),
  scene('/calendar', async () => (await import('./scenes/Calendar/calendar.tsx')).Calendar),
  scene('/appointments', async () => (await import('./scenes/Appointments/appointments.tsx')).Appointments),
  scene('/agents', async () => (await import('./scenes/Agents/agents.tsx')).Agents),
  scene('/agents/new', async () => (await import('./scenes/Agents/new-agent.tsx')).NewAgent),
  scene('/agents/$agentId', async () => (await import('./scenes/Agents/agent-detail.tsx')).AgentDetail),
  scene('/webhooks', async () => (await import('./scenes/Webhooks/webhooks.tsx')).Webhooks),
  scene('/webhooks/signature', async () => (await import('./scenes/Webhooks/signature-checker.tsx')).SignatureChecker),
  scene(
    '/webhooks/deliveries/$deliveryId',
    async () => (await import('./scenes/Webhooks/delivery-detail.tsx')).DeliveryDetail,
  ),
  scene('/webhooks/$endpointId', async () => (await import('./scenes/Webhooks/endpoint-detail.tsx')).EndpointDetail),
  scene('/hook', async () => (await import('./scenes/Hook/hook.tsx')).Hook),
  scene('/keys', async () => (await import('./scenes/Keys/keys.tsx')).Keys),
  scene('/settings', async () => (await import('./scenes/Settings/settings.tsx')).Settings),
  scene('/settings/$section', async () => (await import('./scenes/Settings/settings.tsx')).Settings),
] as const

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
