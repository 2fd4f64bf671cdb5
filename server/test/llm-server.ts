import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'

/** One thing the model does with its answer. */
export type Act = (response: ServerResponse) => unknown
export type ChatRequest = {
  path: string
  headers: IncomingHttpHeaders
  body: { messages: { role: string; content: string }[]; [more: string]: unknown }
  /** When the exchange is over: did the model come to its end, or did the other side leave? */
  over: Promise<'answered' | 'left'>
}
export type LlmServer = {
  url: string
  requests: ChatRequest[]
  /** How many connections were ever made. */
  connections(): number
  /** What the next request is answered with; one that nobody scripted gets a 500. */
  next(...acts: Act[]): void
  close(): Promise<void>
}

/** A chat-completions endpoint that does as it is told. */
export async function startLlmServer(): Promise<LlmServer> {
  const scripts: Act[][] = []
  const requests: ChatRequest[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const over = new Promise<'answered' | 'left'>((resolve) =>
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left')),
    )
    const body = JSON.parse(Buffer.concat(parts).toString())
    requests.push({ path: request.url ?? '', headers: request.headers, body, over })
    for (const act of scripts.shift() ?? [status(500)]) {
      if (!response.destroyed) await act(response)
    }
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.setNoDelay(true).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    next: (...acts) => void scripts.push(acts),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Bytes of the event stream as they are, in a write of their own. */
export const raw =
  (bytes: string | Uint8Array): Act =>
  async (response) => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(bytes)
    await nextTick()
  }
export const event = (data: unknown): Act => raw(`data: ${JSON.stringify(data)}\n\n`)
export const delta = (content: object): Act => event({ choices: [{ index: 0, delta: content, finish_reason: null }] })
export const text = (content: string): Act => delta({ content })
/** A piece of a tool call; `null` is what an endpoint leaves out. */
export const tool = (index: number | null, id: string | null, name: string | null, args: string): Act =>
  delta({
    tool_calls: [
      {
        ...(index === null ? {} : { index }),
        ...(id === null ? {} : { id, type: 'function' }),
        function: { ...(name === null ? {} : { name }), arguments: args },
      },
    ],
  })
export const finish = (reason: string): Act => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
export const end: Act = (response) => response.end()
export const done: Act = async (response) => {
  await raw('data: [DONE]\n\n')(response)
  response.end()
}
export const cut: Act = (response) => response.socket?.destroy()
/** Until the other side leaves. */
export const hang: Act = (response) => new Promise((resolve) => response.once('close', resolve))
/** Until the test goes on. */
export const until =
  (gate: Promise<unknown>): Act =>
  () =>
    gate
export const forEver =
  (act: Act, everyMs: number): Act =>
  async (response) => {
    while (!response.destroyed) {
      await act(response)
      await sleep(everyMs)
    }
  }
export const status =
  (code: number, body = '{"error":{"message":"no"}}', type = 'application/json'): Act =>
  (response) =>
    response.writeHead(code, { 'content-type': type }).end(body)
/** To itself. */
export const redirect: Act = (response) => response.writeHead(307, { location: '/v1/chat/completions' }).end()
/** The answer to a question without `stream`. */
export const completion = (content: unknown): Act =>
  status(
    200,
    JSON.stringify({
      choices: [{ message: { content: typeof content === 'string' ? content : JSON.stringify(content) } }],
    }),
  )
