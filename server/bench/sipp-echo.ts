import { type ChildProcess, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { whyMissing } from '../test/debian-packages.ts'

const program = '/usr/bin/sipp'

/** Why there is no sipp to measure against; null when there is one. */
export const whyNoSipp = () => whyMissing(['sip-tester'], [program])

/** sipp sends every datagram on its media port back to where it came from. */
export async function startSippEcho(port: number, folder: string): Promise<{ stop(): Promise<void> }> {
  const args = ['-sn', 'uas', '-i', '127.0.0.1', '-p', String(port + 10), '-mi', '127.0.0.1', '-mp', String(port)]
  const child = spawn(program, [...args, '-rtp_echo', '-nostdin'], { stdio: 'ignore', cwd: folder })
  await answers(port, child)
  return {
    stop: async () => {
      // One that ended by itself will not say so again.
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const echoed = once(socket, 'message').then(() => true)
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    // As long as a header: sipp may look into what it echoes.
    socket.send(Buffer.alloc(12, 0x80), port, '127.0.0.1')
    if (await Promise.race([echoed, sleep(100, false)])) {
      socket.close()
      return
    }
  }
  child.kill('SIGKILL')
  throw new Error(`sipp did not echo on port ${port}`)
}
