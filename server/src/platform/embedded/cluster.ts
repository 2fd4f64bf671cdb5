import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../errors.ts'
import { type Binaries, prepareBinaries } from './binaries.ts'
import { buildThenRename, codeOf, exists, makeSharedFolder } from './folder.ts'
import { assertCanEnter, canEnter, chooseOwner, type Owner, ownerOfCluster, runAs } from './owner.ts'
import { keepPassword } from './password.ts'

export type Cluster = {
  folder: string
  logFile: string
  password: string
  owner: Owner | undefined
  binaries(): Promise<Binaries>
}

const initdbTimeoutMs = 120_000

const isCluster = (folder: string) => exists(path.join(folder, 'PG_VERSION'))

/** Finds the cluster of a data folder, or makes it. */
export async function openCluster(dataDir: string, onNotice: (message: string) => void): Promise<Cluster> {
  const home = await makeDataDir(dataDir)
  const inside = path.join(home, 'postgres')
  const chosen = await chooseOwner()
  if (!chosen && (await exists(inside))) await ownerOfCluster(inside, chosen)
  const pointer = await readPointer(home)
  const password = await keepPassword(
    path.join(home, 'postgres.password'),
    async () => pointer !== undefined || (await isCluster(inside)),
  )
  const stays = (await isCluster(inside)) || (await canEnter(chosen, home))
  const folder = pointer ?? (stays ? inside : await placeElsewhere(home, password))
  if (!(await isCluster(folder))) await initialise(folder, password, chosen, home)
  if (folder !== inside && !pointer) onNotice(await leavePointer(home, folder, chosen))
  const owner = await ownerOfCluster(folder, chosen)
  await assertCanEnter(owner, folder)
  const binaries = async () => assertSameMajor(folder, await prepareBinaries(owner, home))
  return { folder, logFile: path.join(home, 'postgres.log'), password, owner, binaries }
}

async function makeDataDir(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true })
    return await realpath(dataDir)
  } catch (cause) {
    throw new OperatorError(`The data folder ${path.resolve(dataDir)} cannot be used: ${(cause as Error).message}`, {
      cause,
    })
  }
}

async function assertSameMajor(folder: string, binaries: Binaries): Promise<Binaries> {
  const made = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (made === binaries.major) return binaries
  throw new OperatorError(
    `The database in ${folder} was made by PostgreSQL ${made}, but this Parley comes with PostgreSQL ${binaries.major}, ` +
      `which cannot read it. Run it with a PostgreSQL ${made} and set DATABASE_URL, or choose another PARLEY_DATA_DIR.`,
  )
}

const pointerOf = (home: string) => path.join(home, 'postgres.location')

/** Left by `leavePointer`. A lost cluster is an error: an empty database in its place would look like lost data. */
async function readPointer(home: string): Promise<string | undefined> {
  const folder = (await readFile(pointerOf(home), 'utf8').catch(() => '')).split('\n')[0]?.trim()
  if (!folder || (await isCluster(folder))) return folder || undefined
  throw new OperatorError(
    `${pointerOf(home)} says that the database is in ${folder}, but it is not there, or this user cannot see it. ` +
      'Put it back, or delete that file and postgres.password to begin with an empty database.',
  )
}

async function leavePointer(home: string, folder: string, chosen: Owner | undefined): Promise<string> {
  const message =
    `The database of this data folder is in ${folder}: PostgreSQL refuses to run as root, and the user ` +
    `"${chosen?.name}" cannot enter ${home}. Keep both folders together when you back up or move them.`
  const draft = `${pointerOf(home)}.new-${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${folder}\n\n${message}\n`, { mode: 0o644, flush: true })
  await rename(draft, pointerOf(home))
  return message
}

/** The password is part of the name so that a new data folder at an old path never finds the old one's database. */
async function placeElsewhere(home: string, password: string): Promise<string> {
  const name = createHash('sha256').update(`${home}\n${password}`).digest('hex').slice(0, 24)
  return path.join(await makeSharedFolder('clusters'), name)
}

async function initialise(folder: string, password: string, owner: Owner | undefined, home: string): Promise<void> {
  try {
    const inTheWay = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      return []
    })
    if (inTheWay.length > 0 && !(await isCluster(folder))) {
      throw new OperatorError('something else is in that folder (it has no PG_VERSION). Move it elsewhere.')
    }
    await assertCanEnter(owner, path.dirname(folder))
    const { initdb } = await prepareBinaries(owner, home)
    await buildThenRename(folder, (draft) => runInitdb(initdb, draft, password, owner))
  } catch (cause) {
    throw new OperatorError(`The database could not be made in ${folder}: ${(cause as Error).message}`, { cause })
  }
}

async function runInitdb(initdb: string, draft: string, password: string, owner: Owner | undefined): Promise<void> {
  const passwordFile = `${draft}.password`
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    if (owner) for (const file of [draft, passwordFile]) await chown(file, owner.uid, owner.gid)
    const options = ['--username=parley', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--data-checksums']
    const args = [`--pgdata=${draft}`, `--pwfile=${passwordFile}`, ...options, '--no-instructions']
    const { ok, output } = await runAs(owner, initdb, args, initdbTimeoutMs)
    if (/could not look up effective user ID/.test(output)) {
      throw new OperatorError(
        `initdb wants an entry in /etc/passwd for the user that runs it, and there is none.\n${output}`,
      )
    }
    if (!ok) throw new OperatorError(`initdb failed.\n${output.split('\n').slice(-15).join('\n')}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
}
