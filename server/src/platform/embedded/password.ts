import { randomBytes } from 'node:crypto'
import { constants, copyFile, link, readFile, rm, writeFile } from 'node:fs/promises'
import { OperatorError } from '../errors.ts'
import { codeOf, exists } from './folder.ts'

/** Reads the password of the cluster, or makes one if there is no cluster yet. */
export async function keepPassword(file: string, clusterExists: () => Promise<boolean>): Promise<string> {
  try {
    // Asked in this order: whoever makes a cluster has made its password before.
    if (!(await exists(file)) && !(await clusterExists())) await createPassword(file)
    const password = (await readFile(file, 'utf8')).trim()
    if (password) return password
  } catch (cause) {
    throw new OperatorError(
      `The password of the database, which belongs in ${file}, cannot be read or made: ${(cause as Error).message}`,
      { cause },
    )
  }
  throw new OperatorError(`${file} is empty; it should hold the password of the database. Put the right file back.`)
}

/** The draft becomes the file by a link, which never replaces another starter's password nor shows half of one. */
async function createPassword(file: string): Promise<void> {
  const draft = `${file}.new-${randomBytes(6).toString('hex')}`
  const unlessThere = (error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  try {
    await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
    await link(draft, file).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return
      // Filesystems that know no links.
      return copyFile(draft, file, constants.COPYFILE_EXCL).catch(unlessThere)
    })
  } finally {
    await rm(draft, { force: true })
  }
}
