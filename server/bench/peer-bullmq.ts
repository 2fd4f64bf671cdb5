import { Queue, Worker } from 'bullmq'
import { bodyFor, createPost } from './post.ts'

/** The same on BullMQ: `node peer-bullmq.mjs REDIS_PORT URL CA_FILE COUNT CONCURRENCY`. */
const [redisPort, url, caFile, count, concurrency] = process.argv.slice(2)
const connection = { host: '127.0.0.1', port: Number(redisPort), maxRetriesPerRequest: null }
const name = `webhooks-${Date.now()}`
const queue = new Queue(name, { connection })
for (let at = 0; at < Number(count); at += 1_000) {
  await queue.addBulk(
    Array.from({ length: Math.min(1_000, Number(count) - at) }, (_, i) => {
      const id = `evt_${at + i}`
      return { name: 'send', data: { id, body: bodyFor(id) }, opts: { attempts: 5, removeOnComplete: true } }
    }),
  )
}
const { post, close } = createPost(String(url), String(caFile), Number(concurrency))
let done = 0
await new Promise<void>((resolve) => {
  const worker = new Worker<{ id: string; body: string }>(name, ({ data }) => post(data.id, data.body), {
    connection,
    concurrency: Number(concurrency),
  })
  worker.on('completed', () => {
    done += 1
    if (done === Number(count)) resolve()
  })
})
await close()
process.stdout.write('{}\n')
process.exit(0)
