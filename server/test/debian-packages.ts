import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Why a program of another house is not there to test with; null when it is. On Debian, root installs it. Test files run
 * beside each other, and apt fails when another apt is at work: they take turns.
 */
export function whyMissing(packages: readonly string[], programs: readonly string[]): string | null {
  const missing = () => programs.find((program) => !existsSync(program))
  const program = missing()
  if (!program) return null
  if (!existsSync('/etc/debian_version')) return `this is no Debian, and there is no ${program}`
  if (process.getuid?.() !== 0) return `there is no ${program}, and only root may install it`
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const turn = ['-w', '300', '/tmp/parley-apt.lock', 'apt-get', '-o', 'DPkg::Lock::Timeout=120']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    if (!missing()) break
    const { status, stderr } = spawnSync('flock', [...turn, ...args], { env, encoding: 'utf8' })
    if (status !== 0) return `apt-get ${args[0]} failed: ${stderr?.trim().split('\n').at(-1)}`
  }
  const still = missing()
  return still ? `apt-get installed no ${still}` : null
}
