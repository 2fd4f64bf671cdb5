import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll } from 'vitest'

const executablePath = '/usr/bin/chromium'

/** Why there is no browser to test with; null when there is one. On Debian, root installs it. */
export function whyNoChromium(): string | null {
  if (existsSync(executablePath)) return null
  if (!existsSync('/etc/debian_version')) return 'this is no Debian, and there is no /usr/bin/chromium'
  if (process.getuid?.() !== 0) return 'there is no /usr/bin/chromium, and only root may install it'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) return `apt-get ${args[0]} failed: ${stderr?.trim().split('\n').at(-1)}`
  }
  return existsSync(executablePath) ? null : 'apt-get installed no /usr/bin/chromium'
}

/** One browser for the file; closed at its end. */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
  afterAll(() => browser.close())
  return browser
}

export const viewports = { desktop: { width: 1_280, height: 900 }, phone: { width: 360, height: 740 } } as const
export const colourSchemes = ['light', 'dark'] as const
