import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../errors.ts'

/** The account PostgreSQL runs under when we are root. `undefined` everywhere means: the account we run under. */
export type Owner = { name: string; uid: number; gid: number }

/** PostgreSQL refuses to run as root. `_postgres` is the account macOS ships for it. */
export async function chooseOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const entries = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const entry = entries.find((fields) => fields[0] === name)
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new OperatorError(
    'PostgreSQL refuses to run as root, and this machine has neither a user "postgres" nor "nobody" to run it as. ' +
      'Start Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL 15+ server.',
  )
}

/** A cluster can only be run by the account its files belong to, whoever made it. */
export async function ownerOfCluster(folder: string, chosen: Owner | undefined): Promise<Owner | undefined> {
  const { uid, gid } = await stat(folder)
  const own = process.getuid?.()
  if (own === undefined || (own === uid && own !== 0)) return undefined
  if (chosen && uid === chosen.uid) return chosen
  if (own === 0 && uid !== 0) return { name: `user ${uid}`, uid, gid }
  throw new OperatorError(
    own === 0
      ? `The database in ${folder} belongs to root, and PostgreSQL refuses to run as root. ` +
          `Give it to the user "${chosen?.name}": chown -R ${chosen?.name} ${folder}`
      : `The database in ${folder} belongs to another user (uid ${uid}, you are ${own}). ` +
          'Start Parley as that user or as root, or choose another PARLEY_DATA_DIR.',
  )
}

export async function assertCanEnter(owner: Owner | undefined, folder: string): Promise<void> {
  if (await canEnter(owner, folder)) return
  throw new OperatorError(
    `PostgreSQL refuses to run as root, and "${owner?.name}", who would run it, cannot enter ${folder}. ` +
      'Let that user enter the folder and those above it (chmod o+x), or choose another PARLEY_DATA_DIR.',
  )
}

/** Judged by the mode bits: an access list that grants more only means that we copy more than we had to. */
export async function canEnter(owner: Owner | undefined, folder: string): Promise<boolean> {
  if (!owner) return true
  let at = await realpath(folder)
  for (;;) {
    const { mode, uid, gid } = await stat(at)
    const searchBit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001
    if ((mode & searchBit) === 0) return false
    if (at === path.dirname(at)) return true
    at = path.dirname(at)
  }
}

/**
 * The current folder must be one the account can enter. The environment is empty so that neither PG* variables nor the
 * locale change what PostgreSQL does, and no secret of ours is in its environment; Windows cannot start anything so.
 */
export function processOptions(owner: Owner | undefined) {
  const identity = owner ? { uid: owner.uid, gid: owner.gid } : {}
  if (process.platform === 'win32') return { ...identity, windowsHide: true }
  return { ...identity, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } }
}

export type Outcome = { ok: boolean; output: string }

export function runAs(owner: Owner | undefined, file: string, args: string[], timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { ...processOptions(owner), encoding: 'utf8' as const, timeout: timeoutMs }
    const settle = (error: Error | null, stdout: string, stderr: string) => {
      resolve({ ok: !error, output: `${stdout}${stderr}`.trim() || error?.message || '' })
    }
    try {
      execFile(file, args, options, settle)
    } catch (error) {
      settle(error as Error, '', '')
    }
  })
}
