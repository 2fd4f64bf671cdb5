import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import vectors from '@parley/contract/vectors/webhook-signatures.json'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { signatureOf } from '../../src/webhooks/sign.ts'

// The verifiers that receivers copy from docs/WEBHOOKS.md, in every language that is installed here.
const folder = path.resolve('docs/verifiers')
const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-verifiers-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }

type Vector = { name: string; secret: string; timestamp: string; signature: string; now: number } & (
  | { body: string }
  | { body_base64: string }
)
const all: (Vector & { isGood: boolean })[] = [
  ...vectors.valid.map((vector) => ({ ...(vector as Vector), isGood: true })),
  ...vectors.refused.map((vector) => ({ ...vector, isGood: false })),
]
const base64 = (text: string) => Buffer.from(text).toString('base64')
const lineOf = (vector: Vector) =>
  [
    vector.now,
    'body' in vector ? base64(vector.body) : vector.body_base64,
    base64(vector.timestamp),
    base64(vector.signature),
    base64(vector.secret),
  ].join('\t')
const casesFile = path.join(scratch, 'cases.tsv')
writeFileSync(casesFile, `${all.map(lineOf).join('\n')}\n`)

const runs = (command: string, ...args: string[]) => spawnSync(command, args, { env }).status === 0

const languages = [
  { language: 'Node', command: ['node', 'verify.mjs'], isHere: true },
  { language: 'Python', command: ['python3', 'verify.py'], isHere: runs('python3', '--version') },
  { language: 'Go', command: ['go', 'run', 'verify.go', 'cases.go'], isHere: runs('go', 'version') },
  { language: 'PHP', command: ['php', 'verify.php'], isHere: runs('php', '--version') },
  { language: 'Ruby', command: ['ruby', 'verify.rb'], isHere: runs('ruby', '-ropenssl', '-e', '') },
  { language: 'Java', command: ['java', 'Verify.java'], isHere: runs('java', '-version') },
]

describe('the verifier', () => {
  for (const { language, command, isHere } of languages) {
    it.skipIf(!isHere)(`in ${language} accepts what is right and refuses every mistake, without an exception`, () => {
      const [program = '', ...args] = command
      const { stdout, stderr, status } = spawnSync(program, [...args, casesFile], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      expect(status, stderr).toBe(0)
      const verdicts = stdout.trimEnd().split('\n')
      expect(verdicts).toHaveLength(all.length)
      const found = all.map(({ name }, index) => ({ name, verdict: verdicts[index] }))
      expect(found).toEqual(all.map(({ name, isGood }) => ({ name, verdict: String(isGood) })))
    })
  }
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const secret = 'whsec_4fTq9ZkW2mXv7LbN0cRyHs8JdAeGu3PxKiYo6VwQtBz'
const body = JSON.stringify({ event_id: 'evt_1', event_type: 'call.initiated', data: { contact_name: 'Zoë 🙂' } })

const receivers = [
  { name: 'Node', command: () => ['node', 'receiver.mjs'], isHere: true },
  {
    name: 'Express',
    command: () => ['node', 'receiver-express.mjs'],
    isHere: runs('node', '-e', "require('express')"),
  },
  { name: 'Python', command: () => ['python3', 'receiver.py'], isHere: runs('python3', '--version') },
  {
    name: 'Flask',
    command: (port: number) => ['python3', '-m', 'flask', '--app', 'receiver_flask', 'run', '--port', String(port)],
    isHere: runs('python3', '-c', 'import flask'),
  },
]

describe('the receiver', () => {
  for (const { name, command, isHere } of receivers) {
    it.skipIf(!isHere)(`with ${name} answers 2xx to Parley and 400 to anybody else`, async () => {
      const port = await freePort()
      const [program = '', ...args] = command(port)
      const settings = { ...env, PORT: String(port), PARLEY_WEBHOOK_SECRET: secret }
      const child = spawn(program, args, { cwd: folder, env: settings, stdio: 'ignore' })
      onTestFinished(() => void child.kill('SIGKILL'))
      const post = async (headers: Record<string, string>, sent = body): Promise<number> => {
        const type = { 'content-type': 'application/json' }
        const url = `http://127.0.0.1:${port}/parley`
        return (await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: sent })).status
      }
      const now = Math.floor(Date.now() / 1_000)
      const signed = (timestamp: number) => ({
        'x-webhook-timestamp': String(timestamp),
        'x-webhook-signature': signatureOf(secret, timestamp, body),
      })
      while (child.exitCode === null && (await post({}).catch(() => 0)) === 0) await sleep(50)
      expect(await post(signed(now))).toBe(204)
      expect(await post(signed(now - 3_600))).toBe(400)
      expect(await post(signed(now), `${body} `)).toBe(400)
      expect(await post({})).toBe(400)
    })
  }
})

describe('docs/WEBHOOKS.md', () => {
  const page = readFileSync('docs/WEBHOOKS.md', 'utf8')
  const blocks = [...page.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block]) => block)
  const withoutProgram = (text: string) =>
    text.replace(/\n+[ \t]*(?:\/\/|#) As a program:.*?End of the program\.\n/s, '\n')

  it.each([
    'verify.mjs',
    'receiver.mjs',
    'receiver-express.mjs',
    'verify.py',
    'receiver.py',
    'receiver_flask.py',
    'verify.go',
    'verify.php',
    'verify.rb',
    'Verify.java',
  ])('shows %s as it is tested here', (file) => {
    const text = withoutProgram(readFileSync(path.join(folder, file), 'utf8'))
    expect(text).not.toContain('As a program')
    expect(blocks).toContain(text)
  })
})
