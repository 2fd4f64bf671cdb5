import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../app.ts'
import { apiAs, type Signed, signedOrganisation } from '../dashboard.ts'
import { startChromium, whyNoChromium } from './chromium.ts'
import { expectSoundScreen, type Opened, visit } from './dashboard.ts'

const reason = whyNoChromium()
let t: TestApp
let org: Signed
let browser: Browser
let origin: string

beforeAll(async () => {
  if (reason) return
  t = await createTestApp({ workers: {}, settings: { PARLEY_SIMULATOR_SPEED: '12' } })
  origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const empty = { organisation: { name: 'Lakeside Dental', credits: 100 }, phone_numbers: [], agents: [], api_keys: [] }
  org = await signedOrganisation(t, empty, ['owner', 'viewer'])
  browser = await startChromium()
}, 240_000)

const open = (path: string, role: 'owner' | 'viewer' = 'owner'): Promise<Opened> =>
  visit(browser, { origin, path, cookie: org.cookies[role] })
/** A browser calls every refusal an error: this one was asked for. */
const expectRefusal = ({ broken }: Opened) => expect(broken.splice(0).join()).toMatch(/status of 4\d\d/)
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor()

describe.skipIf(reason)(`home, agents and settings${reason ? ` (skipped: ${reason})` : ''}`, () => {
  it('a new owner goes from an empty Home to a call watched live', async () => {
    const opened = await open('/')
    const { page } = opened
    await page.getByText('0 of 6 done').waitFor()
    await page.getByRole('link', { name: 'Agents & numbers' }).click()
    await page.getByRole('button', { name: 'Add a number' }).click()
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('500')
    await page.getByRole('button', { name: 'Add the number' }).click()
    await page.getByText('Write the number in E.164').waitFor()
    expectRefusal(opened)
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+1 500 555 0000')
    await page.getByRole('button', { name: 'Add the number' }).click()
    await page.getByRole('cell', { name: '+15005550000', exact: true }).waitFor()

    await page.getByRole('link', { name: 'New agent' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Asha')
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Ask about ')
    await page.getByLabel('Another placeholder for prompt').fill('order')
    await page.keyboard.press('Enter')
    await page.getByText('Placeholders used: user_name, order.').waitFor()
    await expectSoundScreen(opened, heading('What it says'))
    await page.getByRole('button', { name: 'Create the agent' }).click()

    await page.getByRole('heading', { name: 'Asha', level: 1 }).waitFor()
    await page.getByLabel('Who picks up').selectOption('0008')
    await page.getByRole('textbox', { name: 'order' }).fill('A-17')
    await page.getByRole('button', { name: 'Start the call' }).click()
    const talk = page.getByRole('list', { name: 'Conversation' })
    await talk.getByText('Hello Maya').waitFor()
    await page.getByText('Not interested', { exact: true }).waitFor()
    await expectSoundScreen(opened, heading('Try it'))

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('3 of 6 done').waitFor()
    await page.getByText('1 of 1 call that rang').waitFor()
    await page.getByText('Show as a table').first().click()
    await expectSoundScreen(opened, heading('Needs attention'))
  })

  it('Home moves by itself, and a failed call can be placed again with one press', async () => {
    const { page } = await open('/')
    await page.getByText('Nobody is on the phone.').waitFor()
    const agents = await apiAs(t, org.cookies.owner)('GET', '/agents')
    const agent_id = agents.json().data[0].agent_id
    const place = (user_number: string) =>
      apiAs(t, org.cookies.owner)('POST', '/v1/calls', { agent_id, user_number, user_name: 'Ravi' })
    await place('+15005550003')
    await page.getByRole('table', { name: 'Live calls' }).getByText('Ringing').waitFor()
    await page.getByText('Nobody answered.').waitFor()
    await page.getByRole('button', { name: 'Call Ravi again' }).click()
    await page.getByText('Ravi will be called in a moment.').waitFor()
    const calls = await t.db.query(
      `select 1 from calls where organisation_id = $1 and contact_number = '+15005550003'`,
      [org.organisationId],
    )
    expect(calls).toHaveLength(2)
  })

  it('an agent is edited, archived and restored; a viewer is told why there is nothing to press', async () => {
    const { page } = await open('/agents')
    await page.getByRole('link', { name: 'Asha' }).first().click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Attempts' }).fill('2')
    await page.getByRole('textbox', { name: 'Wait in between' }).fill('soon')
    await page.getByLabel('voicemail', { exact: true }).check()
    await page.getByLabel('When a machine answers').selectOption('leave_message')
    await page.getByRole('textbox', { name: 'Message' }).fill('Please call us back.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Write a duration such as 60s').waitFor()
    await page.getByRole('textbox', { name: 'Wait in between' }).fill('5m')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 attempts, 5 min apart, on voicemail').waitFor()
    await page.getByText('Leaves “Please call us back.”').waitFor()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByText('It is archived. Restore it first.').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('It has no number.', { exact: false }).first().waitFor()

    const viewer = await open('/agents', 'viewer')
    await viewer.page.getByText('Owners and admins change agents and numbers.').waitFor()
    await expect.poll(() => viewer.page.getByRole('button', { name: 'Add a number' }).count()).toBe(0)
    await expectSoundScreen(viewer, heading('Phone numbers'))
    await viewer.page.getByRole('link', { name: 'Home', exact: true }).click()
    await heading('Needs attention')(viewer.page)
    await expect.poll(() => viewer.page.getByRole('heading', { name: 'Get started' }).count()).toBe(0)
  })

  it('a trunk is added, tested with a reason in plain words, used by a number, and cannot be removed then', async () => {
    const opened = await open('/agents')
    const { page } = opened
    await page.getByRole('button', { name: 'Add a trunk' }).click()
    const form = page.getByRole('dialog', { name: 'Add a trunk' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Carrier')
    await form.getByRole('textbox', { name: 'Host' }).fill('nowhere.invalid')
    await form.getByRole('textbox', { name: 'User' }).fill('lakeside')
    await form.getByLabel('Password', { exact: true }).fill('s3cret word')
    await form.getByRole('button', { name: 'Add the trunk' }).click()
    await page.getByRole('cell', { name: 'nowhere.invalid over UDP' }).waitFor()
    expect(await page.content()).not.toContain('s3cret word')
    await page.getByRole('button', { name: 'Test Carrier' }).click()
    await page.getByText('Trouble').first().waitFor()
    await page.getByRole('button', { name: 'Add a number' }).click()
    await page.getByLabel('Carrier', { exact: true }).selectOption('sip')
    await page.getByLabel('Trunk', { exact: true }).selectOption({ label: 'Carrier' })
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+1 415 555 0142')
    await page.getByRole('button', { name: 'Add the number' }).click()
    await page.getByRole('cell', { name: '+14155550142', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Remove Carrier' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expectRefusal(opened)
    await page.getByRole('button', { name: 'Keep as it is' }).click()
    await expectSoundScreen(opened, heading('Trunks'))
  })

  it('organisation, sharing and do-not-call are set, each screen sound', async () => {
    const opened = await open('/settings')
    const { page } = opened
    await page.getByLabel('Time zone').fill('Asia/Kolkata')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByText('GMT+5:30').first().waitFor()
    await expectSoundScreen(opened, heading('Credits'))

    await page.getByRole('link', { name: 'Sharing' }).click()
    await page.getByRole('switch', { name: 'Share calls by link' }).click()
    await page.getByText('Calls are shared by link.').waitFor()
    await expectSoundScreen(opened, heading('Sharing'))

    await page.getByRole('link', { name: 'Do not call' }).click()
    await page.getByRole('button', { name: 'Add numbers' }).first().click()
    await page.getByRole('textbox', { name: 'Numbers' }).fill('+1 500 555 0001\nnobody\n+919876543210')
    await page.getByText('Line 2:').waitFor()
    await page.getByRole('button', { name: 'Add the 2 good ones' }).click()
    await page.getByRole('cell', { name: '+919876543210', exact: true }).waitFor()
    await expectSoundScreen(opened, heading('Do not call'))
    await page.getByLabel('Search').fill('98765')
    await expect.poll(() => page.getByRole('cell', { name: '+15005550001', exact: true }).count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toBe('?q=98765')
    await page.getByRole('button', { name: 'Remove +919876543210' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take it off' }).click()
    await page.getByText('No such number').waitFor()
  })

  it('somebody invited by link joins, is promoted, removed; the audit log tells it', async () => {
    const opened = await open('/settings/team')
    const { page } = opened
    await page.getByLabel('E-mail').fill('ravi@lakeside.test')
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByRole('region', { name: 'invitation link' }).textContent()
    await expectSoundScreen(opened, heading('Invite somebody'))
    const path = new URL(String(link)).pathname

    const guest = await visit(browser, { origin, path })
    // The first look for a session is answered 401; a browser calls that an error.
    const quiet = { ...guest, broken: [] }
    await expectSoundScreen(quiet, (each) => each.getByText('Lakeside Dental').first().waitFor())
    await guest.page.getByLabel('Choose a password').fill('short')
    await guest.page.getByRole('button', { name: 'Join Lakeside Dental' }).click()
    await guest.page.getByText('at least 8 characters', { exact: false }).last().waitFor()
    await guest.page.getByLabel('Choose a password').fill('a much longer one')
    await guest.page.getByRole('button', { name: 'Join Lakeside Dental' }).click()
    await heading('Needs attention')(guest.page)
    await expect.poll(() => new URL(guest.page.url()).pathname).toBe('/')
    const again = await visit(browser, { origin, path })
    await again.page.getByText('This invitation cannot be used', { exact: false }).waitFor()

    await page.reload()
    await page.getByLabel('Role of ravi@lakeside.test').selectOption('admin')
    await page.getByText('ravi@lakeside.test is admin now.').waitFor()
    await page.getByRole('button', { name: 'Remove ravi@lakeside.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Remove ravi@lakeside.test' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByText('Made a member admin').waitFor()
    await page.getByText('Somebody who left').first().waitFor()
    await expectSoundScreen(opened, heading('Audit log'))
    await page.getByLabel('About').selectOption('member')
    await expect.poll(() => page.getByText('Invited somebody').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).search).toContain('area=member')
  })

  it('the password is changed with the old one, and sessions elsewhere are seen and ended', async () => {
    const opened = await open('/settings/account')
    const { page } = opened
    await page.getByText('This one').waitFor()
    await expectSoundScreen(opened, heading('Where you are signed in'))
    await page.getByLabel('Present password').fill('wrong')
    await page.getByLabel('New password').fill('a better password')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('This is not your present password.').waitFor()
    await page.getByLabel('Present password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed').waitFor()
  })
})
