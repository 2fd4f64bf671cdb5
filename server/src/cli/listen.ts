import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import type { Config } from '../config.ts'
import { randomToken } from '../platform/secrets.ts'
import { withinTime } from '../platform/within-time.ts'
import { signatureOf } from '../webhooks/sign.ts'
import { type Command, CommandError } from './command.ts'
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts'

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const longestWaitMs = 10_000
const answerMs = 30_000

type Listening = { server: string; key: string; forwardTo: string; secret: string; signal: AbortSignal }

/** `parley listen`: this organisation's events on a laptop, signed like the real thing, without an endpoint. */
export const listen: Command = {
  usage: ['listen --forward-to URL --key API_KEY [--server URL] [--secret whsec_…]'],
  async run(words, config) {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      args: words,
      options: { 'forward-to': text, key: text, server: text, secret: text },
    })
    const listening = readOptions(values, config)
    say(`Forwarding events of ${listening.server} to ${listening.forwardTo}`)
    say(`Signing secret ${listening.secret}`)
    await follow(listening)
    return 0
  },
}

function readOptions(
  values: { 'forward-to'?: string; key?: string; server?: string; secret?: string },
  config: Config,
): Listening {
  const forwardTo = values['forward-to'] ?? ''
  if (!/^https?:\/\//.test(forwardTo) || !URL.canParse(forwardTo)) {
    throw new CommandError('Say where to: --forward-to http://localhost:4000/hook')
  }
  if (!/^[\x21-\x7e]+$/.test(values.key ?? ''))
    throw new CommandError('Give an API key that may read calls: --key pk_…')
  const server = (values.server ?? config.baseUrl).replace(/\/+$/, '')
  if (!URL.canParse(server)) throw new CommandError('--server takes the address of the service: https://…')
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort())
  return {
    server,
    key: values.key ?? '',
    forwardTo,
    secret: values.secret ?? `whsec_${randomToken()}`,
    signal: stop.signal,
  }
}

/** Connects again when the connection ends, and goes on after the last event it saw. */
async function follow(listening: Listening): Promise<void> {
  const { server, key, signal } = listening
  let lastId = null as string | null
  for (let waitMs = 500; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      const headers: Record<string, string> = {
        'x-api-key': key,
        ...(lastId === null ? {} : { 'last-event-id': lastId }),
      }
      const { statusCode, body } = await request(`${server}/v1/events/stream`, { headers, signal, bodyTimeout: 45_000 })
      if (statusCode >= 400 && statusCode < 500 && statusCode !== 429)
        throw new CommandError(await refusalOf(statusCode, body))
      if (statusCode !== 200) {
        await body.dump()
        throw new Error(`the server answered ${statusCode}`)
      }
      say('Listening. Press Ctrl-C to stop.')
      waitMs = 500
      for await (const event of readServerSentEvents(body)) {
        if (event.data !== '') await forward(listening, event)
        lastId = event.id ?? lastId
      }
      if (!signal.aborted) say('The server ended the connection; trying again.')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CommandError) throw error
      say(`The connection is gone (${wordsOf(error as Error)}); trying again.`)
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** An error about several addresses of one name has no message of its own. */
const wordsOf = ({ message, name, code }: Error & { code?: string }): string => message || code || name

async function refusalOf(statusCode: number, body: { json(): Promise<unknown> }): Promise<string> {
  const answer = (await body.json().catch(() => null)) as { error?: { message?: string } } | null
  return answer?.error?.message ?? `The server answered ${statusCode}. Is it Parley, and is --server right?`
}

/** A forwarding that fails is said, not repeated: whoever listens is sitting right there. */
async function forward({ forwardTo, secret, signal }: Listening, { id, event, data }: ServerSentEvent): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'x-webhook-id': id ?? '',
    'x-webhook-timestamp': String(timestamp),
    'x-webhook-signature': signatureOf(secret, timestamp, data),
  }
  const began = performance.now()
  const outcome = await withinTime(answerMs, signal, async (limit) => {
    const { statusCode, body } = await request(forwardTo, { method: 'POST', headers, body: data, signal: limit })
    await body.dump()
    return String(statusCode)
  }).catch(wordsOf)
  say(`${event} ${id} → ${outcome} (${Math.round(performance.now() - began)} ms)`)
}
