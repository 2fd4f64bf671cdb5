import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, describeStorage } from '../conformance/storage.ts'
import { createFolderStorage } from './folder.ts'

const made: string[] = []
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-storage-'))
  made.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true })
})

describeStorage('folder', async () => createFolderStorage(path.join(await newFolder(), 'made', 'when needed')))

const key = 'recordings/org_x/call_y.wav'
const content = Buffer.from('a voice')

describe('storage in a folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await newFolder()
  })
  const filesLeft = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()).map((e) => e.name)

  it.skipIf(process.platform === 'win32')('lets nobody else read: files 0600, folders 0700', async () => {
    await createFolderStorage(folder).put(key, content, 'audio/wav')
    const modeOf = async (name: string) => ((await stat(path.join(folder, name))).mode & 0o777).toString(8)
    expect(await modeOf(key)).toBe('600')
    expect(await modeOf('recordings')).toBe('700')
    expect(await modeOf('recordings/org_x')).toBe('700')
    expect(await modeOf('.parts')).toBe('700')
  })

  it('leaves no folder behind when its last object goes, and the others alone', async () => {
    const storage = createFolderStorage(folder)
    await storage.put(key, content, 'audio/wav')
    await storage.put('recordings/org_z/call.wav', content, 'audio/wav')
    await storage.remove(key)
    expect(await readdir(path.join(folder, 'recordings'))).toEqual(['org_z'])
    await storage.remove('recordings/org_z/call.wav')
    expect(await readdir(folder)).toEqual(['.parts'])
    expect(await readdir(path.join(folder, '.parts'))).toEqual([])
  })

  it('removes what a crash left of the same object, and nothing else', async () => {
    const storage = createFolderStorage(folder)
    await storage.put(key, content, 'audio/wav')
    const crash = `
      import { readdirSync } from 'node:fs'
      import { createFolderStorage } from ${JSON.stringify(path.resolve('server/src/adapters/storage/folder.ts'))}
      const [key, before] = process.argv.slice(2)
      void createFolderStorage(${JSON.stringify(folder)}).put(key, Buffer.alloc(50e6), 'audio/wav')
      const parts = () => readdirSync(${JSON.stringify(path.join(folder, '.parts'))}).length
      setInterval(() => { if (parts() > Number(before)) process.kill(process.pid, 'SIGKILL') }, 1)`
    const script = await bundled(crash)
    spawnSync(process.execPath, [script, key, '0'])
    spawnSync(process.execPath, [script, 'other.wav', '1'])
    expect(await readdir(path.join(folder, '.parts'))).toHaveLength(2)
    await storage.remove(key)
    expect(await readdir(path.join(folder, '.parts'))).toHaveLength(1)
  })

  it('says when the object was replaced between the answer and the reading', async () => {
    const storage = createFolderStorage(folder)
    await storage.put(key, content, 'audio/wav')
    const before = await storage.get(key)
    await storage.put(key, Buffer.from('another voice'), 'audio/wav')
    await expect(bytesOf(before)).rejects.toThrow('replaced')
  })

  it('puts and removes side by side', async () => {
    const storage = createFolderStorage(folder)
    const rounds = Array.from({ length: 60 }, (_, index) => `org/call_${index % 3}.wav`)
    const both = (one: string) => [storage.put(one, content, 'audio/wav'), storage.remove(one)]
    await Promise.all(rounds.flatMap(both))
    expect((await filesLeft()).every((name) => name.startsWith('call_'))).toBe(true)
  })

  it('passes an error on and leaves nothing half done', async () => {
    await mkdir(path.join(folder, 'taken.wav'))
    await expect(createFolderStorage(folder).put('taken.wav', content, 'audio/wav')).rejects.toThrow(/EISDIR|EPERM/)
    await writeFile(path.join(folder, 'file'), '')
    await expect(createFolderStorage(folder).put('file/a.wav', content, 'audio/wav')).rejects.toThrow(/ENOTDIR|EEXIST/)
    await expect(createFolderStorage(path.join(folder, 'file')).put(key, content, 'audio/wav')).rejects.toThrow()
    expect(await filesLeft()).toEqual(['file'])
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('passes on that it may not write', async () => {
    await chmod(folder, 0o500)
    await expect(createFolderStorage(folder).put(key, content, 'audio/wav')).rejects.toThrow('EACCES')
    await chmod(folder, 0o700)
  })

  it.skipIf(process.platform === 'win32')('leaves no half file when the disk has no room for it', async () => {
    const script = await bundled(`
      import { createFolderStorage } from ${JSON.stringify(path.resolve('server/src/adapters/storage/folder.ts'))}
      process.on('SIGXFSZ', () => {})
      const put = createFolderStorage(${JSON.stringify(folder)}).put(${JSON.stringify(key)}, Buffer.alloc(3e6), 'audio/wav')
      put.then(() => process.stdout.write('stored'), (error) => process.stdout.write(error.code))`)
    // A limit on the size of files fails in the middle of the writing, as a full disk does.
    const run = spawnSync('sh', ['-c', 'ulimit -f 1024; exec "$0" "$1"', process.execPath, script], {
      encoding: 'utf8',
    })
    expect(run.stdout, run.stderr).toBe('EFBIG')
    expect(await readdir(folder)).toEqual(['.parts'])
    expect(await filesLeft()).toEqual([])
  })
})

async function bundled(contents: string): Promise<string> {
  const outfile = path.join(await newFolder(), 'script.mjs')
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' } as const
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' })
  return outfile
}
