// npm test (all), npm run check (fast), npm run test:long (long): every check in order; the test runner closes.
// npm run test:sip (sip): only what real peers (sipp, Kamailio, baresip) say about calls.
import { spawnSync } from 'node:child_process'
import { build, install, root, run } from './prepare.mjs'

const [shelf = 'all', ...rest] = process.argv.slice(2)
const projects = {
  fast: ['fast', 'alone'],
  all: ['fast', 'alone', 'story'],
  long: ['fast', 'alone', 'story', 'long'],
  sip: ['fast', 'story'],
}[shelf]
if (!projects) {
  process.stderr.write('Use fast, all, long or sip.\n')
  process.exit(2)
}

const sources = ['contract/src', 'server/src', 'sdk/src', 'dashboard/src']

const vitest = (names, zone) => {
  const args = ['--no-install', 'vitest', 'run', ...names.flatMap((name) => ['--project', name]), ...rest]
  const env = { ...process.env, PARLEY_TEST_SHELF: shelf, ...(zone ? { TZ: zone } : {}) }
  const result = spawnSync('npx', args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0) process.exit(result.status ?? 1)
}

install()
if (shelf === 'sip') {
  rest.push('server/test/sip/', 'server/test/rtp/')
  vitest(projects)
  process.exit(0)
}
await build()

const npx = (...args) => ['npx', ['--no-install', ...args]]
const step = (name, [command, args], proves = /^/) => {
  const began = Date.now()
  const output = run(command, args, { quiet: true })
  if (!proves.test(output)) {
    process.stderr.write(`${output}\n${name}: it looked at nothing.\n`)
    process.exit(1)
  }
  process.stderr.write(`✓ ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`)
}
// TypeScript 7 checks, ten times as fast; dependency-cruiser parses with 6, the last with a JavaScript API.
step('types', ['node', ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.json']])
step('lint and format', npx('biome', 'check', '.', '--error-on-warnings'), /Checked \d{2,} files/)
// Without a parser for TypeScript every rule passes in silence: it must have seen modules.
step('boundaries', npx('depcruise', '--config', '.dependency-cruiser.mjs', ...sources), /\(\d{2,} modules/)

vitest(projects, shelf === 'long' ? 'UTC' : undefined)
// Nothing may depend on the zone of the machine it runs on.
if (shelf === 'long') {
  for (const zone of ['Asia/Kolkata', 'America/Los_Angeles']) vitest(['fast', 'alone', 'story'], zone)
}
