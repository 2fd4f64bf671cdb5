// npm run lock: after npm install. When a registry lacks the builds of a package for other platforms, npm leaves them out
// of the lock file, and npm ci then refuses it. This adds them: name, version and platform; npm fetches only its own.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './prepare.mjs'

const file = path.join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32', 'aix']
const processors = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32', 'arm']

let added = 0
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`${place}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) continue
    const words = name.split(/[/-]/)
    const os = systems.find((each) => words.includes(each))
    const cpu = processors.find((each) => words.includes(each))
    if (!cpu) continue
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...(words.includes('musl') ? { libc: ['musl'] } : {}),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      ...(os ? { os: [os] } : {}),
    }
    added += 1
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stderr.write(`Added ${added} builds for other platforms.\n`)
