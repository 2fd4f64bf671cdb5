import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Storage } from '../../media/ports.ts'
import { checkKey, type Range, rangeWithin } from './keys.ts'

const contentTypes: Record<string, string> = { '.wav': 'audio/wav', '.json': 'application/json' }
const privateFolder = { recursive: true, mode: 0o700 }
const moveAttempts = 3
const writeBytes = 1024 * 1024

/** Objects as plain files below one folder. The content type is told by the extension, so there is nothing else to keep. */
export function createFolderStorage(folder: string): Storage {
  const root = path.resolve(folder)
  // No key begins with a dot. Few files are ever here, so that what a crash left is found quickly.
  const parts = path.join(root, '.parts')
  const beingWritten = new Set<string>()

  async function put(key: string, content: Uint8Array): Promise<void> {
    const target = pathOf(root, key)
    const name = `${partPrefix(key)}${randomUUID()}`
    const part = path.join(parts, name)
    beingWritten.add(name)
    try {
      await mkdir(parts, privateFolder)
      await writeDurably(part, content)
      await moveInto(part, target)
    } catch (error) {
      await rm(part, { force: true }).catch(() => {})
      await pruneAbove(target, root)
      throw error
    } finally {
      beingWritten.delete(name)
    }
  }

  async function get(key: string, range?: Range) {
    const file = pathOf(root, key)
    const found = await stat(file).catch(nullWhenMissing)
    if (!found?.isFile()) return null
    const within = rangeWithin(found.size, range)
    return {
      size: found.size,
      contentType: contentTypes[path.extname(file)] ?? 'application/octet-stream',
      body: within ? readRange(file, found, within) : nothing(),
    }
  }

  async function remove(key: string): Promise<void> {
    const target = pathOf(root, key)
    await unlink(target).catch(nullWhenMissing)
    // Half of a recording that a crash cut short must not outlive the recording.
    for (const name of (await readdir(parts).catch(nullWhenMissing)) ?? []) {
      const left = name.startsWith(partPrefix(key)) && !beingWritten.has(name)
      if (left) await rm(path.join(parts, name), { force: true })
    }
    await pruneAbove(target, root)
  }

  return { put, get, remove }
}

function pathOf(root: string, key: string): string {
  checkKey(key)
  return path.join(root, ...key.split('/'))
}

const partPrefix = (key: string) => `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.`

function nullWhenMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  throw error
}

async function writeDurably(file: string, content: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    for (let at = 0; at < content.length; at += writeBytes) {
      await handle.writeFile(content.subarray(at, at + writeBytes))
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A neighbour's removal may take the empty folder away between the two steps. */
async function moveInto(part: string, target: string): Promise<void> {
  const folder = path.dirname(target)
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(folder, privateFolder)
    try {
      await rename(part, target)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === moveAttempts) throw error
    }
  }
  // The name lasts only once its folder is on the disk too. Windows cannot do that, and does not need it.
  const handle = await open(folder).catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Folders are named after organisations: an empty one still tells that somebody was here. */
async function pruneAbove(target: string, root: string): Promise<void> {
  for (let folder = path.dirname(target); folder !== root; folder = path.dirname(folder)) {
    const gone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    )
    if (!gone) return
  }
}

/** Opened only when it is read, so that an answer nobody reads holds no file. */
async function* readRange(file: string, expected: Stats, range: Range): AsyncGenerator<Uint8Array> {
  const handle = await open(file)
  try {
    const { ino, size, mtimeMs } = await handle.stat()
    if (ino !== expected.ino || size !== expected.size || mtimeMs !== expected.mtimeMs) {
      throw new Error('The object was replaced while it was being read')
    }
    yield* handle.createReadStream({ ...range, autoClose: false })
  } finally {
    await handle.close()
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
