// npm run screenshots: starts Parley on a database of its own, lets a day happen, and photographs every screen for the
// README. Needs Chromium where Debian puts it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build, install, root } from './prepare.mjs'

const executablePath = '/usr/bin/chromium'
if (!existsSync(executablePath)) {
  process.stderr.write(`There is no ${executablePath}. On Debian: apt-get install chromium\n`)
  process.exit(1)
}
install()
await build()
const { chromium } = await import('playwright-core')

const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-screenshots-'))
chmodSync(folder, 0o755)
const port = 3900 + Math.floor(Math.random() * 90)
const origin = `http://127.0.0.1:${port}`
const settings = {
  PATH: process.env.PATH,
  PORT: String(port),
  PARLEY_DATA_DIR: path.join(folder, 'data'),
  PARLEY_DEMO: 'false',
  PARLEY_CALL_DELAY: '0s',
  PARLEY_SIMULATOR_SPEED: '30',
  LOG_LEVEL: 'warn',
}
const parley = (words) =>
  spawn(process.execPath, [path.join(root, 'server/bin/parley.mjs'), ...words], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
const outputOf = async (child) => {
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'exit')
  return text
}

const password = 'correct horse battery'
const clinic = {
  organisation: {
    name: 'Lakeside Dental',
    plan: 'professional',
    credits: 500,
    timezone: 'Asia/Kolkata',
    public_share: { enabled: true, expiry: null },
  },
  users: [{ email: 'owner@lakeside.test', password, role: 'owner' }],
  phone_numbers: [{ number: '+15005550000' }],
  branches: [{ name: 'Main', timezone: 'Asia/Kolkata' }],
  services: [{ name: 'Check-up', duration_minutes: 30 }],
  windows: ['Morning', 'Afternoon', 'Evening'].map((session) => ({
    branch: 'Main',
    session,
    ai_slots: 4,
    max_slots: 8,
  })),
  agents: [
    {
      name: 'Asha',
      number: '+15005550000',
      branch: 'Main',
      prompt: 'You call for Lakeside Dental. Offer a check-up about {{reason}}.',
      greeting: 'Hello {{user_name}}, this is Asha from Lakeside Dental.',
    },
  ],
  api_keys: [{ name: 'Website', scopes: ['*'] }],
  webhook_endpoints: [{ url: 'https://example.com/hooks/parley' }],
}
const people = ['Maya Rao', 'Ravi Iyer', 'Anita Shah', 'Jo March', 'Kabir Sen', 'Lena Fox', 'Omar Khan', 'Priya Nair']
const endings = ['0001', '0001', '0008', '0003', '0001', '0006', '0007', '0001']

const server = parley(['start'])
try {
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => String(chunk).includes('Press Ctrl-C') && resolve())
    server.on('exit', (code) => reject(new Error(`Parley ended with ${code}.`)))
  })
  const file = path.join(folder, 'clinic.json')
  writeFileSync(file, JSON.stringify(clinic))
  const made = JSON.parse(await outputOf(parley(['apply', file])))
  const headers = { 'x-api-key': made.api_keys[0].key, 'content-type': 'application/json' }
  const api = async (url, body) => {
    const answer = await fetch(
      `${origin}${url}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`)
    return (await answer.json()).data
  }
  const calls = []
  for (const [at, user_name] of people.entries()) {
    const body = { agent_id: made.agents[0].agent_id, user_number: `+1500555${endings[at]}`, user_name }
    calls.push(await api('/v1/calls', { ...body, additional_info: { reason: 'a yearly check-up' } }))
  }
  const pending = new Set(['scheduled', 'queued', 'initiated', 'ringing', 'in_progress'])
  for (let tries = 0; tries < 200; tries += 1) {
    const all = await api('/v1/calls?limit=50')
    if (all.filter((call) => !call.scheduled_call_id && pending.has(call.status)).length <= 1) break
    await new Promise((resolve) => setTimeout(resolve, 250))
  }

  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: clinic.users[0].email, password }),
  })
  const [name, value] = String(session.headers.get('set-cookie')).split(';')[0].split('=')
  const agent = made.agents[0].agent_id
  const endpoint = made.webhook_endpoints[0].endpoint_id
  const screens = {
    home: '/',
    calls: '/calls',
    call: `/calls/${calls[0].call_id}`,
    'new-call': '/calls/new',
    'bulk-calls': '/calls/bulk',
    calendar: '/calendar',
    appointments: '/appointments',
    agents: '/agents',
    agent: `/agents/${agent}`,
    webhooks: '/webhooks',
    endpoint: `/webhooks/${endpoint}`,
    'signature-checker': '/webhooks/signature',
    hook: '/hook',
    keys: '/keys',
    settings: '/settings',
    team: '/settings/team',
  }
  const target = path.join(root, 'docs/images')
  mkdirSync(target, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] })
  const shoot = async (suffix, options, names) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Asia/Kolkata', ...options })
    await context.addCookies([{ name, value, url: origin }])
    const page = await context.newPage()
    for (const screen of names) {
      await page.goto(`${origin}${screens[screen]}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      // What is still loading shows its shape.
      await page.waitForFunction(() => document.querySelector('.waiting') === null, undefined, { timeout: 15_000 })
      if (screen === 'call') await page.locator('.wave path').first().waitFor({ state: 'attached', timeout: 30_000 })
      await page.waitForTimeout(600)
      await page.screenshot({ path: path.join(target, `${screen}${suffix}.png`) })
      process.stdout.write(`docs/images/${screen}${suffix}.png\n`)
    }
    await context.close()
  }
  await shoot('', { viewport: { width: 1280, height: 860 } }, Object.keys(screens))
  await shoot('-dark', { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' }, ['home', 'call', 'calendar'])
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
  await shoot('-phone', phone, ['home', 'calls', 'call', 'calendar'])
  await browser.close()
} finally {
  server.removeAllListeners('exit')
  if (server.exitCode === null) {
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}
