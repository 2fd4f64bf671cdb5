import { Agent, type Dispatcher } from 'undici'
import { type ConnectorOptions, createSafeConnector } from './safe-connector.ts'

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

const longestResponse = 16 * 1024
const nothing = Buffer.alloc(0)

/**
 * One POST to a server nobody vouches for. One deadline over name, connection, TLS, request and response head; the
 * status decides; no redirect is followed; of the body only the beginning is read, and only within the same deadline.
 */
export function createSafePost(options: ConnectorOptions): SafePost {
  const agent = new Agent({
    connect: createSafeConnector(options),
    pipelining: 1,
    maxHeaderSize: 16 * 1024,
    // The deadline below is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
  })
  return {
    post: (url, headers, body) =>
      new Promise<Answer>((resolve) => {
        const began = performance.now()
        const { origin, pathname, search } = new URL(url)
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
          const response = received > 0 ? Buffer.concat(chunks).subarray(0, longestResponse) : nothing
          chunks = []
          const durationMs = Math.round(performance.now() - began)
          resolve({ statusCode, ...verdict(statusCode, location, error), response, durationMs })
          if (cut) controller?.abort(new Error('enough'))
        }
        const deadline = setTimeout(() => finish(timeout, true), options.timeoutMs)

        agent.dispatch(
          { origin, path: pathname + search, method: 'POST', headers, body },
          {
            // A connection that came too late must not carry the request after all.
            onRequestStart(given) {
              controller = given
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
          },
        )
      }),
    close: () => agent.destroy(),
  }
}

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
  ['tls', /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME/],
  ['protocol', /^(HPE_|UND_ERR_)/],
]

function classOf(error: Error): FailureClass {
  if (error === timeout) return 'timeout'
  const code = 'code' in error ? String(error.code) : ''
  return classes.find(([, pattern]) => pattern.test(code))?.[0] ?? 'connect'
}
