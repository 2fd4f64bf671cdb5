import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const abandonedAfterMs = 3_600_000

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Where root keeps what the data folder cannot hold: the account PostgreSQL runs under can enter it. */
export async function makeSharedFolder(name: string): Promise<string> {
  const folder = path.join('/var/lib/parley', name)
  await mkdir(path.resolve(folder, '../..'), { recursive: true })
  for (const part of [path.dirname(folder), folder]) {
    // The mode is given by hand: a strict umask would lock out the account the folder is made for.
    if (!(await exists(part))) await buildThenRename(part, (draft) => chmod(draft, 0o755))
  }
  return folder
}

/** Builds a folder beside its place and renames it: of two racing builders one wins, and both find it whole. */
export async function buildThenRename(place: string, build: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${place}.new-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(draft, { mode: 0o700 })
    await sweepAbandoned(place, draft)
    await build(draft)
    await rename(draft, place).catch(async (error: unknown) => {
      const lost = (await readdir(place).catch(() => [])).length > 0
      if (!lost) throw error
    })
    await syncFolder(path.dirname(place))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function sweepAbandoned(place: string, draft: string): Promise<void> {
  const parent = path.dirname(place)
  const { mtimeMs: now } = await stat(draft)
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${path.basename(place)}.new-`)) continue
    const found = await stat(path.join(parent, name)).catch(() => undefined)
    if (found && now - found.mtimeMs > abandonedAfterMs)
      await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; nor can it lose a rename this way.
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
