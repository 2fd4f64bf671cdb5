#!/usr/bin/env node
// Committed, so that `npx parley` works right after `npm ci`; the bundle it runs is built when it is stale.
import { existsSync } from 'node:fs'

const prepare = new URL('../../scripts/prepare.mjs', import.meta.url)
if (existsSync(prepare)) {
  const { build, install } = await import(prepare)
  install()
  await build(process.argv[2] === 'start' ? ['server', 'dashboard'] : ['server'])
}
await import('../dist/parley.mjs')
