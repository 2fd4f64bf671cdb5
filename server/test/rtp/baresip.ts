import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { atEnd } from '../at-end.ts'

export const baresipProgram = '/usr/bin/baresip'
const modules = '/usr/lib/baresip/modules'

/** Answers every call and sends back what it has heard: received, decoded, encoded again. */
export async function startBaresip(
  port: number,
  mediaEncryption: 'srtp-mand' | null,
): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-baresip-'))
  const config = [
    `sip_listen 127.0.0.1:${port}`,
    'net_interface 127.0.0.1',
    `module_path ${modules}`,
    'audio_player aubridge,one',
    'audio_source aubridge,one',
    'audio_alert aubridge,none',
    'rtp_ports 22000-22099',
    'call_max_calls 4',
    ...['g711', 'aubridge', 'srtp'].map((name) => `module ${name}.so`),
    'module_app account.so',
    'module_app menu.so',
  ]
  writeFileSync(path.join(folder, 'config'), `${config.join('\n')}\n`)
  const encryption = mediaEncryption ? `;mediaenc=${mediaEncryption}` : ''
  writeFileSync(path.join(folder, 'accounts'), `<sip:peer@127.0.0.1:${port}>;regint=0;answermode=auto${encryption}\n`)
  const child = spawn(baresipProgram, ['-f', folder], { stdio: ['ignore', 'pipe', 'pipe'] })
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
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  // A test that fails must not leave its telephone on the port for the next run.
  atEnd(stop)
  return { stop }
}
