import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import {
  ask,
  checkout,
  expectRefusal,
  expectSuccess,
  freePort,
  makeDataDir,
  makeFolder,
  onlySettings,
  parley,
  run,
  type Settings,
  start,
  startServer,
} from './process.ts'
import { postgresServersBelow } from './process-tree.ts'

const program = path.join(checkout, 'server/bin/parley.mjs')
const secretKey = 'a secret key of the tests'

describe('bad settings', () => {
  const bad: Settings = {
    PORT: '70000',
    PARLEY_BASE_URL: 'ftp://parley.test',
    DATABASE_URL: 'mysql://root:hunter2-in-url@db.test/parley',
    PARLEY_SECRET_KEY: 'hush-too-short',
    PARLEY_ROLES: 'api,dance',
    PARLEY_CALL_DELAY: 'soon',
    PARLEY_WEBHOOK_RETRY_DELAYS: '30s,never',
    PARLEY_WEBHOOK_TIMEOUT: '8',
    PARLEY_WEBHOOK_ALLOW_PRIVATE: 'perhaps',
    PARLEY_RATE_LIMIT_PER_MINUTE: '0',
    PARLEY_HOOK_QUOTA_BASE: '-1',
    PARLEY_CREDITS_PER_MINUTE: '1.5',
    PARLEY_SIMULATOR_SPEED: '0',
    PARLEY_DEMO: 'yes',
    LOG_LEVEL: 'loud',
  }

  it.each([
    ['npm start', ['scripts/start.mjs']],
    ['a command', ['server/bin/parley.mjs', 'keys', 'list']],
  ])('stop %s with every problem listed, and no secret', async (_name, words) => {
    const exit = await run(process.execPath, words, { env: onlySettings({ ...bad, PARLEY_LLM_KEY: 'llm-key-text' }) })
    expectRefusal(exit, ...Object.keys(bad).map((name) => new RegExp(`^  - ${name} .+`, 'm')))
    expect(exit.stderr.match(/^ {2}- /gm)).toHaveLength(Object.keys(bad).length)
    expect(exit.stdout).toBe('')
    for (const secret of ['hunter2-in-url', 'hush-too-short', 'llm-key-text']) expect(exit.stderr).not.toContain(secret)
  })

  it('name the key that DATABASE_URL needs, without the password of the URL', async () => {
    const exit = await parley(['start'], { DATABASE_URL: 'postgres://parley:hunter2@127.0.0.1:1/parley' })
    expectRefusal(exit, /PARLEY_SECRET_KEY is required with DATABASE_URL/)
    expect(exit.stderr).not.toContain('hunter2')
  })

  it('do not show the password in an address that is refused for something else', async () => {
    const exit = await parley(['start'], { PARLEY_LLM_URL: 'htps://user:hunter2@llm.test/v1', PARLEY_LLM_MODEL: 'm' })
    expectRefusal(exit, 'PARLEY_LLM_URL')
    expect(exit.stderr).not.toContain('hunter2')
  })
})

describe('settings that show only at the start to be bad', () => {
  it('PARLEY_DATA_DIR is a file', async () => {
    const file = path.join(await makeFolder(), 'file')
    await writeFile(file, '')
    expectRefusal(await (await startServer({ PARLEY_DATA_DIR: file })).exited, file)
  })

  it('HOST is no address of this machine', async () => {
    const dataDir = await makeDataDir()
    const server = await startServer({ PARLEY_DATA_DIR: dataDir, HOST: '192.0.2.1' })
    expectRefusal(await server.exited, 'HOST')
    expect(await postgresServersBelow(dataDir)).toEqual([])
  })

  const elsewhere = (change: (url: URL) => void): Settings => {
    const url = new URL(inject('postgresUrl'))
    change(url)
    return { DATABASE_URL: url.href, PARLEY_SECRET_KEY: secretKey }
  }

  it('nothing listens at DATABASE_URL', async () => {
    const port = String(await freePort())
    const server = await startServer(
      elsewhere((url) => {
        url.port = port
      }),
    )
    expectRefusal(await server.exited, /database/i)
  })

  it('DATABASE_URL names a database that does not exist', async () => {
    const settings = elsewhere((url) => {
      url.pathname = '/no_such_database'
    })
    expectRefusal(await (await startServer(settings)).exited, 'no_such_database')
  })

  it('DATABASE_URL has the wrong password', async () => {
    const settings = elsewhere((url) => {
      url.password = 'hunter2-wrong'
    })
    const exit = await (await startServer(settings)).exited
    expectRefusal(exit, /password/)
    expect(exit.stderr).not.toContain('hunter2-wrong')
  })
})

describe('a .env file', () => {
  it('is read in the current folder, and the environment wins over it', async () => {
    const folder = await makeFolder()
    const [inFile, inEnvironment] = [await freePort(), await freePort()]
    const lines = ['# settings', `PORT=${inFile}`, 'PARLEY_DATA_DIR="./here"', 'PARLEY_DEMO=false # none', '']
    await writeFile(path.join(folder, '.env'), lines.join('\n'))
    const server = start(process.execPath, [program, 'start'], { cwd: folder, env: { PORT: String(inEnvironment) } })
    const printed = await server.waitFor('Press Ctrl-C to stop.')
    expect(printed).toContain(`Parley is running at http://127.0.0.1:${inEnvironment}\n`)
    expect(printed).not.toContain('demo organisation')
    expect((await ask(`http://127.0.0.1:${inEnvironment}/readyz`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.1:${inFile}/readyz`)).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['.env', 'here'])
    expectSuccess(await server.stop())
    expect(await postgresServersBelow(folder)).toEqual([])
  })

  it('is checked like the environment', async () => {
    const folder = await makeFolder()
    await writeFile(path.join(folder, '.env'), 'PORT=never\nDATABASE_URL=postgres://a:hunter2@127.0.0.1/b\n')
    const exit = await run(process.execPath, [program, 'start'], { cwd: folder, env: { LOG_LEVEL: 'loud' } })
    expectRefusal(exit, /- PORT .*never/, /- LOG_LEVEL .*loud/, /- PARLEY_SECRET_KEY is required/)
    expect(exit.stderr).not.toContain('hunter2')
  })

  it('that cannot be read is told in words', async () => {
    const folder = await makeFolder()
    await mkdir(path.join(folder, '.env'))
    const exit = await run(process.execPath, [program, 'keys', 'list'], { cwd: folder })
    expectRefusal(exit, '.env')
    expect(await readdir(folder)).toEqual(['.env'])
  })
})

describe('the command line', () => {
  it('explains itself when asked, and when it does not understand', async () => {
    const commands = /parley start.*parley apply FILE.*parley keys create.*parley hook regenerate/s
    const [asked, unknown, nothing] = await Promise.all([parley(['help'], {}), parley(['dance'], {}), parley([], {})])
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(commands) })
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(commands) })
    expect(unknown.stderr).toContain('"dance"')
    expect(nothing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(commands) })
  })
})
