import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

/** server/dist, where this bundle lies among the others. */
export const distFolder = path.dirname(fileURLToPath(import.meta.url))
export const rootFolder = path.resolve(distFolder, '../..')

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(path.join(rootFolder, 'server/package.json'), 'utf8'),
) as Record<string, Record<string, string>>
const foreign = Object.keys({ ...dependencies, ...devDependencies }).filter((each) => !each.startsWith('@parley/'))

/** Bundles one of the programs in server/bench and returns where it is. */
export async function program(name: string): Promise<string> {
  const outfile = path.join(distFolder, `bench-${name}-program.mjs`)
  await build({
    entryPoints: [path.join(rootFolder, 'server/bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: foreign.flatMap((each) => [each, `${each}/*`]),
    logLevel: 'warning',
  })
  return outfile
}

/** Runs a program to its end and reads the JSON line it prints. */
export async function measure<T>(file: string, args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { maxBuffer: 10_000_000 })
  return JSON.parse(stdout) as T
}

/** Starts a program and waits for a word on its standard output; what it logs goes to a file. */
export async function startProgram(
  file: string,
  args: string[],
  env: Record<string, string>,
  until: string,
  logFile: string,
): Promise<{ child: ChildProcess; output: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: String(process.env.PATH), ...env },
    stdio: ['ignore', 'pipe', openSync(logFile, 'a')],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk.toString()
      if (output.includes(until)) resolve()
    })
    child.on('exit', (code) => reject(new Error(`${file} ended with ${code}; see ${logFile}\n${output}`)))
  })
  child.removeAllListeners('exit')
  return {
    child,
    output,
    stop: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGINT')
      await gone
    },
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
