import { createServer } from 'node:http'
import { isFromParley } from './verify.mjs'

const secret = process.env.PARLEY_WEBHOOK_SECRET
const events = new Map()
const largestBody = 1_048_576

createServer(async (request, response) => {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBody) return response.writeHead(413, { connection: 'close' }).end()
    chunks.push(chunk)
  }
  const rawBody = Buffer.concat(chunks)
  const { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } = request.headers
  if (!isFromParley(rawBody, timestamp, signature, secret)) return response.writeHead(400).end()
  const event = JSON.parse(rawBody)
  // Under its event_id, because it may come again; in your database, and then work on it later: 8 seconds are short.
  events.set(event.event_id, event)
  response.writeHead(204).end()
}).listen(Number(process.env.PORT ?? 8080))
