import { bodyFor, createPost } from './post.ts'

// The limit: `node post-loop.mjs URL CA_FILE COUNT CONCURRENCY`. No database, no queue, nothing remembered.
const [url, caFile, count, concurrency] = process.argv.slice(2)
const { post, close } = createPost(String(url), String(caFile), Number(concurrency))
let next = 0
const sender = async () => {
  while (next < Number(count)) {
    next += 1
    const id = `evt_${next}`
    await post(id, bodyFor(id))
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, sender))
await close()
process.stdout.write('{}\n')
