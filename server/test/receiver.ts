import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventSchemas, type WebhookEvent } from '@parley/contract/events'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { atEnd } from './at-end.ts'
import { type Certificate, createTestCa, type TestCa } from './certificates.ts'

let ca: Promise<TestCa> | undefined
export const testCa = (): Promise<TestCa> => (ca ??= createTestCa())

/** The authority's certificate as a file, for PARLEY_WEBHOOK_CA_FILE. */
export async function caFile(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-ca-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'ca.pem')
  writeFileSync(file, (await testCa()).cert)
  return file
}

export type Received = { path: string; headers: IncomingHttpHeaders; raw: Buffer; event: WebhookEvent; atMs: number }
export type Behaviour = (request: IncomingMessage, response: ServerResponse, received: Received) => void

export type Receiver = {
  url: string
  port: number
  received: Received[]
  /** What every request from now on is answered; 200 unless told otherwise. */
  behave(behaviour: Behaviour): void
  /** Waits until this many have come in. */
  until(count: number): Promise<Received[]>
  close(): Promise<void>
}

export const answering =
  (status: number, body = ''): Behaviour =>
  (_request, response) =>
    void response.writeHead(status).end(body)

/** A real HTTPS server that keeps what it was sent. */
export async function startReceiver(
  options: { certificate?: Certificate; port?: number; tls?: object } = {},
): Promise<Receiver> {
  const certificate = options.certificate ?? (await (await testCa()).issue())
  const received: Received[] = []
  let behaviour = answering(200, 'thanks')
  // Whatever a test is about: every body that is sent keeps the published schema.
  const faults: unknown[] = []
  atEnd(() => expect(faults, 'bodies that break the contract').toEqual([]))
  const server = createServer({ ...certificate, ...options.tls }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        raw,
        event: JSON.parse(raw.toString('utf8')),
        atMs: performance.now(),
      }
      received.push(one)
      if (!Value.Check(eventSchemas[one.event.event_type], one.event)) faults.push(one.event)
      behaviour(request, response, one)
    })
  })
  // Its keep-alive outlives ours, so that no request meets a socket that is just being closed.
  server.keepAliveTimeout = 60_000
  server.on('tlsClientError', () => {})
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
  }
  atEnd(close)
  return {
    url: `https://localhost:${port}/hook`,
    port,
    received,
    behave: (next) => {
      behaviour = next
    },
    until: async (count) => {
      for (let waitedMs = 0; received.length < count; waitedMs += 10) {
        if (waitedMs > 60_000) throw new Error(`only ${received.length} of ${count} came in within a minute`)
        await sleep(10)
      }
      return received
    },
    close,
  }
}
