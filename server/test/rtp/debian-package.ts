import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Why a program of a Debian package is not here; null when it is. On Debian, root installs it. */
export function whyMissing(program: string, debianPackage: string): string | null {
  if (existsSync(program)) return null
  if (!existsSync('/etc/debian_version')) return `this is no Debian, and there is no ${program}`
  if (process.getuid?.() !== 0) return `there is no ${program}, and only root may install it`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', debianPackage]]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) return `apt-get ${args[0]} failed: ${stderr?.trim().split('\n').at(-1)}`
  }
  return existsSync(program) ? null : `apt-get installed no ${program}`
}
