import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { writeMonoWav } from '../../src/media/wav.ts'
import { whyMissing } from '../debian-packages.ts'

/** Why baresip is not there to test with; null when it is. */
export const whyNoBaresip = (): string | null => whyMissing(['baresip'], ['/usr/bin/baresip'])

export type PersonOptions = {
  number: string
  port: number
  /** What the person says from the answer on, silence included. */
  says: Int16Array
  rtpPorts: string
  /** Whom the person calls; without, they wait to be called, and answer. */
  calls?: string
  /** Who they are to a carrier that asks. */
  account?: { user: string; password: string }
}
export type Person = {
  /** Everything baresip reported. */
  output(): string
  /** What reached the person's ear. */
  heard(): Int16Array
  stop(): Promise<void>
}

const started: { kill(): void; folder: string }[] = []
afterAll(() => {
  for (const { kill, folder } of started) {
    kill()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A telephone nobody here wrote, with a recorded person at it. */
export async function startPerson({ number, port, says, rtpPorts, calls, account }: PersonOptions): Promise<Person> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-person-'))
  const wav = path.join(folder, 'says.wav')
  writeFileSync(wav, writeMonoWav(says))
  const config = [
    `sip_listen 127.0.0.1:${port}`,
    'net_interface 127.0.0.1',
    'module_path /usr/lib/baresip/modules',
    'audio_player aubridge,sink',
    `audio_source aufile,${wav}`,
    'audio_alert aubridge,none',
    `rtp_ports ${rtpPorts}`,
    `snd_path ${folder}`,
    ...['g711', 'aubridge', 'aufile', 'sndfile'].map((name) => `module ${name}.so`),
    'module_app account.so',
    'module_app menu.so',
  ]
  writeFileSync(path.join(folder, 'config'), `${config.join('\n')}\n`)
  const proof = account ? `;auth_user=${account.user};auth_pass=${account.password}` : ''
  writeFileSync(path.join(folder, 'accounts'), `<sip:${number}@127.0.0.1:${port}>;regint=0;answermode=auto${proof}\n`)
  const dial = calls === undefined ? [] : ['-e', `/dial ${calls}`]
  const child = spawn('/usr/bin/baresip', ['-f', folder, ...dial], { stdio: ['ignore', 'pipe', 'pipe'] })
  started.push({ kill: () => child.kill('SIGKILL'), folder })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('baresip is ready')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`baresip ended: ${output}`)))
  })
  return {
    output: () => output,
    heard: () => {
      const name = readdirSync(folder).find((each) => /dec\.wav$/.test(each))
      if (!name) throw new Error(`baresip recorded nothing: ${readdirSync(folder)}`)
      return samplesOf(readFileSync(path.join(folder, name)))
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

function samplesOf(wav: Buffer): Int16Array {
  const at = wav.indexOf('data') + 8
  const samples = new Int16Array(Math.floor((wav.length - at) / 2))
  for (let i = 0; i < samples.length; i += 1) samples[i] = wav.readInt16LE(at + 2 * i)
  return samples
}

/** One of the two sides of a recording: the agent left, the other right. */
export function channelOf(wav: Buffer, channel: 0 | 1): Int16Array {
  const samples = new Int16Array((wav.length - 44) / 4)
  for (let i = 0; i < samples.length; i += 1) samples[i] = wav.readInt16LE(44 + 4 * i + 2 * channel)
  return samples
}

/** Sentences at their seconds, silence between. */
export function timeline(seconds: number, lines: readonly [at: number, sound: Int16Array][]): Int16Array {
  const all = new Int16Array(seconds * 8_000)
  for (const [at, sound] of lines) all.set(sound.subarray(0, all.length - at * 8_000), at * 8_000)
  return all
}
