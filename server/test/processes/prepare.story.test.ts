import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkout, makeFolder, run } from './process.ts'

/** A checkout with the real scripts around a program that only says its version. */
async function makeSmallCheckout() {
  const root = await makeFolder()
  for (const folder of [
    'contract/src',
    'server/src/cli',
    'server/src/adapters/rtp',
    'server/bin',
    'scripts',
    'node_modules',
  ]) {
    await mkdir(path.join(root, folder), { recursive: true })
  }
  for (const file of ['scripts/prepare.mjs', 'server/bin/parley.mjs']) {
    await cp(path.join(checkout, file), path.join(root, file))
  }
  await symlink(path.join(checkout, 'node_modules/esbuild'), path.join(root, 'node_modules/esbuild'))
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}')
  await writeFile(path.join(root, 'package-lock.json'), '{}')
  await writeFile(path.join(root, 'server/package.json'), '{"type":"module","dependencies":{}}')
  await writeFile(path.join(root, 'server/src/adapters/rtp/worker.ts'), '')
  // What npm leaves behind: everything is installed.
  await writeFile(path.join(root, 'node_modules/.package-lock.json'), '{}')
  const ballast = JSON.stringify('parley '.repeat(100_000))
  return {
    edit: (version: string) =>
      writeFile(
        path.join(root, 'server/src/cli/parley.ts'),
        `const ballast = ${ballast}\nprocess.stdout.write('version ${version}' + ballast.slice(0, 1) + '\\n')\n`,
      ),
    parley: () => run(process.execPath, [path.join(root, 'server/bin/parley.mjs')]),
  }
}

describe('a command whose build is stale', () => {
  it('builds it once, and never runs half of one that another command is just building', async () => {
    const { edit, parley } = await makeSmallCheckout()
    await edit('0')
    expect(await parley()).toMatchObject({ code: 0, stdout: 'version 0p\n', stderr: 'Building the server…\n' })
    expect(await parley()).toMatchObject({ code: 0, stdout: 'version 0p\n', stderr: '' })
    for (let round = 1; round <= 5; round += 1) {
      await edit(String(round))
      const exits = await Promise.all(Array.from({ length: 6 }, parley))
      for (const exit of exits) expect(exit).toMatchObject({ code: 0, stdout: `version ${round}p\n` })
    }
  })
})
