import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { until } from './until.ts'

type Process = { pid: number; parent: number; words: string[] }

/** The living processes; a zombie has no words. */
async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    return stdout.split('\n').map((line) => {
      const [pid, parent, ...words] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), words }
    })
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process[]> => {
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
      return words[0] && parent >= 0 ? [{ pid: Number(pid), parent, words }] : []
    }),
  )
  return found.flat()
}

/** The PostgreSQL servers, not their children, whose data lies in this folder. */
export async function postgresServersBelow(folder: string): Promise<number[]> {
  const processes = await listProcesses()
  const isOurs = ({ words }: Process) =>
    path.basename(words[0] ?? '').startsWith('postgres') &&
    words.some((word, i) => words[i - 1] === '-D' && word.startsWith(`${folder}${path.sep}`))
  return processes.filter(isOurs).map(({ pid }) => pid)
}

/** A process and all below it, itself first. */
export async function treeOf(root: number): Promise<number[]> {
  const processes = await listProcesses()
  const below = (pid: number): number[] => [
    pid,
    ...processes.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ]
  return below(root)
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error
  }
}

export async function isRunning(pid: number): Promise<boolean> {
  return (await listProcesses()).some((each) => each.pid === pid)
}

/** kill -9 of a process and all below it, with the least time between the first and the last. */
export async function killTree(...roots: number[]): Promise<void> {
  const pids = (await Promise.all(roots.map(treeOf))).flat()
  for (const pid of pids) send(pid, 'SIGKILL')
  for (const pid of pids) await until(`process ${pid} to go`, async () => !(await isRunning(pid)))
}

/** SIGQUIT: at once, but PostgreSQL takes its shared memory with it. */
export async function endPostgres(pid: number): Promise<void> {
  send(pid, 'SIGQUIT')
  await until(`PostgreSQL ${pid} to go`, async () => !(await isRunning(pid)))
}
