import express from 'express'
import { isFromParley } from './verify.mjs'

const secret = process.env.PARLEY_WEBHOOK_SECRET
const events = new Map()
const app = express()

// express.raw for this route, and before any app.use(express.json()): once parsed, the bytes are gone.
app.post('/parley', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  const timestamp = request.get('x-webhook-timestamp')
  const signature = request.get('x-webhook-signature')
  if (!Buffer.isBuffer(request.body) || !isFromParley(request.body, timestamp, signature, secret)) {
    return response.sendStatus(400)
  }
  const event = JSON.parse(request.body)
  // Under its event_id, because it may come again; in your database, and then work on it later: 8 seconds are short.
  events.set(event.event_id, event)
  response.sendStatus(204)
})

app.listen(Number(process.env.PORT ?? 8080))
