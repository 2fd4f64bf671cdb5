import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { lookForPostmaster, stopPostmaster } from '../src/platform/embedded/postmaster.ts'

export const run = promisify(execFile)

/** A folder that another user can enter, too. */
export async function makeScratch(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), name)))
  await chmod(folder, 0o755)
  return folder
}

/** Ends every database below it first. */
export async function clearScratch(scratch: string): Promise<void> {
  for (const entry of await readdir(scratch, { recursive: true, withFileTypes: true })) {
    if (entry.name === 'postmaster.pid') await endServer(entry.parentPath)
  }
  await rm(scratch, { recursive: true, force: true })
}

async function endServer(folder: string): Promise<void> {
  const seen = await lookForPostmaster(folder)
  if ('pid' in seen) await stopPostmaster(folder, seen.pid, () => Promise.reject(new Error('not on Windows')))
}

export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

export const keepRow = (url: string) => ask(url, 'create table kept as select 7 as value')
export const keptRows = (url: string) => ask(url, 'select value from kept')

export async function postmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, 'postmaster.pid'), 'utf8'), 10)
}
