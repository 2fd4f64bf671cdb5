// npm start: install what is missing, build what is stale, run.
import { build, install } from './prepare.mjs'

install()
await build()
process.argv.splice(2, 0, 'start')
await import('../server/dist/parley.mjs')
