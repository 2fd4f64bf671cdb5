import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listHookRequests } from '../../src/hooks/hooks.service.ts'
import { regenerateInboundToken, setInboundSigning } from '../../src/organisations/organisations.service.ts'
import { createVault } from '../../src/platform/secrets.ts'
import { createTestApp, type Organisation } from '../app.ts'
import { countCalls, createBody, secretOf, signed, tokenOf, unixSeconds } from './hook.ts'

const t = await createTestApp({ httpLimits: { headersTimeoutMs: 1_000, requestTimeoutMs: 3_000 } })
await t.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = t.app.server.address() as net.AddressInfo

const head = (token: string, ...headers: string[]) =>
  [`POST /v1/hooks/${token} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')
const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`
const closing = 'Connection: close'

type Client = { socket: net.Socket; wire(): string; ended: Promise<string> }

function dial(text: string): Client {
  const socket = net.connect({ port, host: '127.0.0.1' })
  let wire = ''
  socket.on('data', (bytes) => {
    wire += bytes.toString('latin1')
  })
  // A server that closes while we write resets the connection; that is an answer too.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(wire)))
  socket.write(text, 'latin1')
  return { socket, wire: () => wire, ended }
}

function expectAnswer(wire: string, status: number, code: string): void {
  expect(wire.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`])
  expect(wire).toContain(`"code":"${code}"`)
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await holds()) return
    await sleep(25)
  }
  throw new Error(`Waited in vain for ${what}.`)
}
const newest = async (org: Organisation) => (await listHookRequests(t.db, org.organisationId)).items[0]

describe('a body that does not come', () => {
  it.each(['half of it', 'nothing of it'])('%s: 408, no call, and it is in the list', async (how) => {
    const org = await t.organisation()
    const body = JSON.stringify(createBody(org))
    const { ended } = dial(head(tokenOf(org), length(body)) + (how === 'half of it' ? body.slice(0, 30) : ''))
    expectAnswer(await ended, 408, 'REQUEST_TIMEOUT')
    await until('the record', async () => (await newest(org)) !== undefined)
    expect(await newest(org)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT', action: null })
    expect(await countCalls(t, org)).toBe(0)
  })

  it('because the client went away: no call', async () => {
    const org = await t.organisation()
    const body = JSON.stringify(createBody(org))
    // Who goes before the token was looked up has sent nothing we could know of: then once more.
    await until('the record', async () => {
      const client = dial(head(tokenOf(org), length(body)) + body.slice(0, 30))
      await sleep(300)
      client.socket.destroy()
      await sleep(300)
      return (await newest(org)) !== undefined
    })
    expect(await newest(org)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' })
    expect(await countCalls(t, org)).toBe(0)
  })

  it('ends: chunks beyond 256 KiB are 413', async () => {
    const org = await t.organisation()
    const client = dial(head(tokenOf(org), 'Transfer-Encoding: chunked'))
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
    const timer = setInterval(() => client.socket.write(chunk), 5)
    await until('an answer', () => client.wire().includes('\r\n\r\n'))
    clearInterval(timer)
    client.socket.destroy()
    expectAnswer(await client.ended, 413, 'PAYLOAD_TOO_LARGE')
  })
})

describe('while the body is on its way', () => {
  const slowly = async (org: Organisation, body: string, meanwhile: () => Promise<unknown>, ...headers: string[]) => {
    const before = t.logLines.length
    const client = dial(head(tokenOf(org), length(body), closing, ...headers) + body.slice(0, 10))
    // The head has been read and the token looked up when the server asks for more.
    await sleep(300)
    await meanwhile()
    client.socket.write(body.slice(10))
    const wire = await client.ended
    expect(t.logLines.length).toBeGreaterThan(before)
    return wire
  }

  it('the token is regenerated: 401', async () => {
    const org = await t.organisation()
    const body = JSON.stringify(createBody(org))
    const wire = await slowly(org, body, () => regenerateInboundToken(t.db, org.organisationId))
    expectAnswer(wire, 401, 'INVALID_TOKEN')
    expect(await countCalls(t, org)).toBe(0)
  })

  it('signing is switched on: 401', async () => {
    const org = await t.organisation()
    const deps = { db: t.db, vault: createVault('secret for tests only') }
    const wire = await slowly(org, JSON.stringify(createBody(org)), () =>
      setInboundSigning(deps, org.organisationId, { enabled: true, rotate: false }),
    )
    expectAnswer(wire, 401, 'INVALID_SIGNATURE')
    expect(await countCalls(t, org)).toBe(0)
  })
})

describe('on the wire', () => {
  it('a bad token is refused before its body is sent', async () => {
    const client = dial(head('nonsense', 'Content-Length: 262144'))
    await until('an answer', () => client.wire().includes('INVALID_TOKEN'))
    client.socket.destroy()
    expectAnswer(await client.ended, 401, 'INVALID_TOKEN')
  })

  it.each(['X-Inbound-Signature', 'X-Inbound-Timestamp'])('%s sent twice: 401, though both are right', async (name) => {
    const org = await t.organisation({ organisation: { name: 'S', credits: 5, inbound: { signing: true } } })
    const body = JSON.stringify(createBody(org))
    const headers = signed(secretOf(org), unixSeconds(new Date()), body)
    const lines = Object.entries(headers).map((pair) => pair.join(': '))
    const twice = lines.filter((line) => line.startsWith(name.toLowerCase()))
    expectAnswer(
      await dial(head(tokenOf(org), length(body), closing, ...lines, ...twice) + body).ended,
      401,
      'INVALID_SIGNATURE',
    )
    expect(await dial(head(tokenOf(org), length(body), closing, ...lines) + body).ended).toMatch(/^HTTP\/1\.1 201/)
  })

  it('dot segments are not resolved: 401', async () => {
    const org = await t.organisation()
    const body = JSON.stringify(createBody(org))
    for (const path of [`x/../${tokenOf(org)}`, `./${tokenOf(org)}`, `${tokenOf(org)}/.`]) {
      expectAnswer(await dial(head(path, length(body), closing) + body).ended, 401, 'INVALID_TOKEN')
    }
  })

  it('a raw NUL is not HTTP: 400; a token of 20 KB: 431', async () => {
    expect(await dial(head('a\0b', closing)).ended).toMatch(/^HTTP\/1\.1 400/)
    expect(await dial(head('x'.repeat(20_000), closing)).ended).toMatch(/^HTTP\/1\.1 4(14|31)/)
  })

  it('two requests in one connection are two requests', async () => {
    const org = await t.organisation()
    const body = JSON.stringify(createBody(org))
    const one = head(tokenOf(org), length(body)) + body
    const wire = await dial(one + head(tokenOf(org), length(body), closing) + body).ended
    expect(wire.match(/HTTP\/1\.1 201/g)).toHaveLength(2)
    expect(await countCalls(t, org)).toBe(2)
  })
})
