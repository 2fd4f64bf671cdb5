import { readFileSync } from 'node:fs'
import { eventExamples } from '@parley/contract/event-examples'
import { Agent } from 'undici'
import { signatureOf } from '../src/webhooks/sign.ts'

const secret = `whsec_${'k'.repeat(43)}`
const example = JSON.stringify(eventExamples['call.completed'])

export const bodyFor = (id: string): string => example.replace(eventExamples['call.completed'].event_id, id)

/** What any sender does at least: sign, post over a kept connection, look at the status. */
export function createPost(url: string, caFile: string, connections: number) {
  const agent = new Agent({ connect: { ca: readFileSync(caFile) }, connections, pipelining: 1 })
  const { origin, pathname } = new URL(url)
  return {
    close: () => agent.close(),
    post: async (id: string, body: string): Promise<void> => {
      const timestamp = Math.floor(Date.now() / 1_000)
      const answer = await agent.request({
        origin,
        path: pathname,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-id': id,
          'x-webhook-timestamp': String(timestamp),
          'x-webhook-signature': signatureOf(secret, timestamp, body),
        },
        body,
        signal: AbortSignal.timeout(8_000),
      })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`)
    },
  }
}
