import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  ask,
  checkout,
  expectSuccess,
  makeFolder,
  onlySettings,
  parley,
  readDemo,
  readJson,
  run,
  startedServer,
} from './process.ts'
import { postgresServersBelow } from './process-tree.ts'

const program = path.join(checkout, 'server/dist/parley.mjs')
const numberOf = (what: '-u' | '-g') => Number(spawnSync('id', [what, 'nobody'], { encoding: 'utf8' }).stdout || 65_534)

// Run by an ordinary user, every other story tells this one.
describe.runIf(process.getuid?.() === 0)('an ordinary user', () => {
  it('starts the built server on a folder of their own, uses it and stops it', async ({ skip }) => {
    expectSuccess(await parley(['help'], {}))
    const nobody = { uid: numberOf('-u'), gid: numberOf('-g') }
    const home = await makeFolder()
    await chown(home, nobody.uid, nobody.gid)
    await chmod(home, 0o700)
    const canRead = spawnSync(process.execPath, ['--check', program], { ...nobody, cwd: '/' })
    if (canRead.status !== 0) skip(`the user "nobody" cannot run ${process.execPath} on ${program}: ${canRead.stderr}`)

    const dataDir = path.join(home, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, nobody.uid, nobody.gid)
    const settings = { HOME: home, PARLEY_DATA_DIR: dataDir }
    const server = await startedServer(settings, [program, 'start'], { ...nobody, cwd: home })
    const demo = readDemo(server.stdout())
    expect((await ask(`${server.url}/readyz`)).status).toBe(200)
    const call = { agent_id: demo.agentId, user_number: '+15005550001', user_name: 'Maya' }
    expect((await ask(`${server.url}/v1/calls`, demo.key, call)).status).toBe(201)

    const options = { ...nobody, cwd: home, env: onlySettings(settings) }
    const keys = readJson<{ name: string }[]>(await run(process.execPath, [program, 'keys', 'list'], options))
    expect(keys).toMatchObject([{ name: 'demo' }])

    expect(await postgresServersBelow(dataDir)).toHaveLength(1)
    expectSuccess(await server.stop())
    expect(await postgresServersBelow(dataDir)).toEqual([])
  })
})
