import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string; atMs: number }
export type Answer = (response: ServerResponse) => void
export type AnsweringServer = { baseUrl: string; seen: Seen[] }

/** A real server on loopback that gives these answers in this order, the last one for ever; gone after the test. */
export async function startServer(...answers: [Answer, ...Answer[]]): Promise<AnsweringServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() })
    const answer = answers[seen.length - 1] ?? answers.at(-1)
    answer?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json(status, { success: false, error: { code, message: 'No.', details: [], request_id: 'req_1' } }, headers)

export const html =
  (status: number): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><title>Hello</title>')

export const cutBeforeAnswer: Answer = (response) => void response.destroy()

export const cutInsideAnswer: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
  response.write('{"data":{', () => response.destroy())
}

export const silence: Answer = () => {}

export const silenceInsideAnswer: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"data":{')
}
