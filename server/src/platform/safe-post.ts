import { setMaxListeners } from 'node:events'
import { Agent, type Dispatcher, errors } from 'undici'
import { type ConnectorOptions, createSafeConnector, onlyWhenWanted } from './safe-connector.ts'

/** Why a receiver did not take it. `status` and `redirect` mean that it answered. */
export const failureClasses = [
  'dns',
  'refused_address',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'redirect',
  'status',
] as const
export type FailureClass = (typeof failureClasses)[number]

export type Answer = {
  statusCode: number | null
  /** Null when the status is 2xx. */
  failure: FailureClass | null
  /** What the library said, or where a redirect points. */
  detail: string | null
  /** The beginning of the answer's body. */
  response: Buffer
  durationMs: number
}

export type SafePost = {
  post(url: string, headers: Record<string, string>, body: string): Promise<Answer>
  close(): Promise<void>
}

/** Decisions 6: so much of an answer is read, and kept. */
export const longestResponse = 16 * 1024
const nothing = Buffer.alloc(0)

/**
 * One POST to a server nobody vouches for. One deadline over name, connection, TLS, request and response head; the
 * status decides; no redirect is followed; of the body only the beginning is read, and only within the same deadline.
 */
export function createSafePost(options: ConnectorOptions): SafePost {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const { connect, want } = onlyWhenWanted(createSafeConnector({ ...options, signal: closing.signal }))
  const agent = new Agent({
    connect,
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    // The deadline of the post is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  })
  return {
    post: (url, headers, body) => {
      const { origin, pathname, search } = new URL(url)
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const
      return dispatch(agent, request, want(origin), options.timeoutMs)
    },
    close: async () => {
      await agent.destroy()
      // The agent does not know of connections that are still being made.
      closing.abort()
    },
  }
}

/** `onConnection` is called once it no longer waits for a connection. */
const dispatch = (agent: Agent, request: Agent.DispatchOptions, onConnection: () => void, timeoutMs: number) =>
  new Promise<Answer>((resolve) => {
    const began = performance.now()
    let controller: Dispatcher.DispatchController | undefined
    let statusCode: number | null = null
    let location: string | null = null
    let chunks: Buffer[] = []
    let received = 0
    let isDone = false

    const finish = (error: Error | null, cut: boolean) => {
      if (isDone) return
      isDone = true
      clearTimeout(deadline)
      onConnection()
      const response = received > 0 ? Buffer.concat(chunks).subarray(0, longestResponse) : nothing
      chunks = []
      const durationMs = Math.round(performance.now() - began)
      resolve({ statusCode, ...verdict(statusCode, location, error), response, durationMs })
      if (cut) controller?.abort(new Error('enough'))
    }
    const deadline = setTimeout(() => finish(timeout, true), timeoutMs)

    agent.dispatch(request, {
      // A connection that came too late must not carry the request after all.
      onRequestStart(given) {
        controller = given
        onConnection()
        if (isDone) given.abort(timeout)
      },
      onResponseStart(_controller, status, head) {
        if (status < 200 || isDone) return
        statusCode = status
        location = typeof head.location === 'string' ? head.location : null
      },
      onResponseData(_controller, chunk) {
        if (isDone) return
        chunks.push(chunk)
        received += chunk.length
        if (received >= longestResponse) finish(null, true)
      },
      onResponseEnd: () => finish(null, false),
      onResponseError: (_controller, error) => finish(error, false),
    })
  })

const timeout = new Error('No answer within the time allowed.')

function verdict(
  statusCode: number | null,
  location: string | null,
  error: Error | null,
): Pick<Answer, 'failure' | 'detail'> {
  if (statusCode === null) {
    const failure = error ? classOf(error) : 'protocol'
    return { failure, detail: (error?.message ?? 'The connection ended without an answer.').slice(0, 500) }
  }
  if (statusCode >= 200 && statusCode < 300) return { failure: null, detail: null }
  if (statusCode >= 300 && statusCode < 400) return { failure: 'redirect', detail: location?.slice(0, 500) ?? null }
  return { failure: 'status', detail: null }
}

const classes: [FailureClass, RegExp][] = [
  ['refused_address', /^PARLEY_REFUSED_ADDRESS$/],
  ['dns', /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/],
  ['timeout', /^UND_ERR_CONNECT_TIMEOUT$/],
  ['connect', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/],
  ['reset', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/],
  // OpenSSL's verdicts on a chain, as Node names them; those it has no name for are UNSPECIFIED.
  ['tls', /CERT|CRL|TLS|SSL|UNABLE_TO|EPROTO|HOSTNAME|^INVALID_|PATH_LENGTH|^UNSPECIFIED$/],
  ['protocol', /^UND_ERR_/],
]

function classOf(error: Error): FailureClass {
  if (error === timeout) return 'timeout'
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof errors.HTTPParserError) return 'protocol'
  // undici hangs up on an interim answer nobody asked for: 100, 101.
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(error.message)) return 'protocol'
  return classes.find(([, pattern]) => pattern.test(code))?.[0] ?? 'connect'
}
