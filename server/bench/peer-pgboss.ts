import PgBoss from 'pg-boss'
import { bodyFor, createPost } from './post.ts'

/**
 * What a Node team would build on pg-boss: `node peer-pgboss.mjs DATABASE_URL URL CA_FILE COUNT CONCURRENCY`. Jobs are
 * there beforehand; four workers fetch a hundred at a time, post them and complete them.
 */
const [databaseUrl, url, caFile, count, concurrency] = process.argv.slice(2)
const queue = `webhooks-${Date.now()}`
const boss = new PgBoss({ connectionString: String(databaseUrl), max: 10 })
await boss.start()
await boss.createQueue(queue, { name: queue, policy: 'standard', retryLimit: 4 })
for (let at = 0; at < Number(count); at += 1_000) {
  const jobs = Array.from({ length: Math.min(1_000, Number(count) - at) }, (_, i) => {
    const id = `evt_${at + i}`
    return { name: queue, data: { id, body: bodyFor(id) } }
  })
  await boss.insert(jobs)
}
const { post, close } = createPost(String(url), String(caFile), Number(concurrency))
const worker = async () => {
  for (;;) {
    const jobs = await boss.fetch<{ id: string; body: string }>(queue, { batchSize: 100 })
    if (!jobs || jobs.length === 0) return
    await Promise.all(jobs.map(({ data }) => post(data.id, data.body)))
    await boss.complete(
      queue,
      jobs.map((job) => job.id),
    )
  }
}
await Promise.all([worker(), worker(), worker(), worker()])
await close()
await boss.stop({ graceful: false })
process.stdout.write('{}\n')
process.exit(0)
