// npm run bench -- NAME: bundles server/bench/NAME.ts and runs it. Figures are ratios taken in one run.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { bundle, install, build as prepare, root } from './prepare.mjs'

install()
const [name = '', ...rest] = process.argv.slice(2)
const folder = path.join(root, 'server/bench')
const names = readdirSync(folder).flatMap((file) => /^([a-z]+)\.bench\.ts$/.exec(file)?.[1] ?? [])
if (!existsSync(path.join(folder, `${name}.bench.ts`))) {
  process.stderr.write(`Say which: npm run bench -- ${names.join(' | ')}\n`)
  process.exit(2)
}
await prepare(['server'])
const outfile = `server/dist/bench-${name}.mjs`
await bundle(`server/bench/${name}.bench.ts`, outfile)
process.argv.splice(2, process.argv.length, ...rest)
await import(path.join(root, outfile))
