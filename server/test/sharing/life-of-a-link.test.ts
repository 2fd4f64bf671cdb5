import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'
import { browser, sharing, sharingOf } from './shared.ts'

const clock = testClock()
const t = await createTestApp({ workers: {}, clock })
const s = sharingOf(t, clock)
const org = await t.organisation(sharing())
const call = await s.call(org)
const links = await s.link(org, call.call_id)
const wrong = links.token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

describe('the life of a link', () => {
  it('one token per call, the same however often it is asked for', async () => {
    const again = await Promise.all(Array.from({ length: 20 }, () => s.link(org, call.call_id)))
    expect(new Set(again.map((each) => each.token))).toEqual(new Set([links.token]))
    const fresh = await s.call(org)
    const [one, two] = [sharingOf(t, clock), sharingOf(t, clock)]
    const racing = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).link(org, fresh.call_id)))
    expect(new Set(racing.map((each) => each.token)).size).toBe(1)
  })

  it.each([
    ['hour', 3_600],
    ['day', 86_400],
    ['week', 604_800],
    ['month', 2_592_000],
  ] as const)(
    '410 with the right token one %s after it was issued, to the second, and 404 with another',
    async (expiry, seconds) => {
      const timed = await t.organisation(sharing('Timed', expiry))
      const { call_id } = await s.call(timed)
      const theLinks = await s.link(timed, call_id)
      clock.advance(seconds * 1_000 - 1)
      expect((await s.get(theLinks.dataUrl)).statusCode).toBe(200)
      expect((await s.get(theLinks.detailsUrl, browser)).body).toContain(', until ')
      clock.advance(1)
      const program = await s.get(theLinks.dataUrl)
      expect([program.statusCode, program.json().error.code]).toEqual([410, 'LINK_EXPIRED'])
      for (const link of [theLinks.detailsUrl, theLinks.recordingUrl, theLinks.transcriptUrl]) {
        const page = await s.get(link, browser)
        expect([page.statusCode, page.headers['content-type']]).toEqual([410, 'text/html; charset=utf-8'])
        expect(page.body).toContain('This link has expired')
        expect((await s.get(link)).json().error.code).toBe('LINK_EXPIRED')
      }
      expect((await s.get(theLinks.dataUrl.replace(theLinks.token, wrong))).statusCode).toBe(404)
      // Another link, another token; the first stays closed.
      await expect(s.link(timed, call_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      const renewed = await s.link(timed, call_id, true)
      expect((await s.get(renewed.dataUrl)).statusCode).toBe(200)
      expect((await s.get(theLinks.dataUrl)).statusCode).toBe(404)
    },
  )

  it('a change of the expiry is for links issued after it', async () => {
    const changing = await t.organisation(sharing('Changing'))
    const [first, second, third] = [await s.call(changing), await s.call(changing), await s.call(changing)]
    const forever = await s.link(changing, first.call_id)
    expect(await s.set(changing, { enabled: true, expiry: 'hour' })).toEqual({ enabled: true, expiry: 'hour' })
    const hour = await s.link(changing, second.call_id)
    expect(await s.set(changing, { enabled: true, expiry: null })).toEqual({ enabled: true, expiry: null })
    const again = await s.link(changing, third.call_id)
    clock.advance(3_600_000)
    const statuses = await Promise.all(
      [forever, hour, again].map(async (each) => (await s.get(each.dataUrl)).statusCode),
    )
    expect(statuses).toEqual([200, 410, 200])
  })

  it('switching sharing off closes every link at once, on again opens them; the expiry stays as it was', async () => {
    const org = await t.organisation(sharing('Switching', 'week'))
    const made = await Promise.all([s.call(org), s.call(org)])
    const both = await Promise.all(made.map((each) => s.link(org, each.call_id)))
    const statuses = () => Promise.all(both.map(async (each) => (await s.get(each.dataUrl)).statusCode))
    expect(await statuses()).toEqual([200, 200])
    expect(await s.set(org, { enabled: false })).toEqual({ enabled: false, expiry: 'week' })
    expect(await statuses()).toEqual([404, 404])
    await expect(s.link(org, String(made[0]?.call_id))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await s.set(org, { enabled: true })
    expect(await statuses()).toEqual([200, 200])
  })

  it('revoking one link closes that one for good; a new one has another token', async () => {
    const [one, other] = [await s.call(org), await s.call(org)]
    const [first, second] = [await s.link(org, one.call_id), await s.link(org, other.call_id)]
    await s.revoke(org, one.call_id)
    expect((await s.get(first.dataUrl)).statusCode).toBe(404)
    expect((await s.get(second.dataUrl)).statusCode).toBe(200)
    await expect(s.link(org, one.call_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const renewed = await s.link(org, one.call_id, true)
    expect(renewed.token).not.toBe(first.token)
    expect((await s.get(renewed.dataUrl)).statusCode).toBe(200)
    expect((await s.get(first.dataUrl)).statusCode).toBe(404)
  })

  it("is its own organisation's alone", async () => {
    const other = await t.organisation(sharing('Other'))
    await expect(s.link(other, call.call_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(s.link(other, call.call_id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(s.revoke(other, call.call_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await s.get(links.dataUrl)).statusCode).toBe(200)
  })

  it('leaves its token in no row and no log line', async () => {
    const rows = await t.db.query(`select to_jsonb(s)::text as text from call_shares s`)
    const audit = await t.db.query(`select to_jsonb(a)::text as text from audit_log a`)
    for (const text of [JSON.stringify([rows, audit]), t.logLines.join('')]) expect(text).not.toContain(links.token)
  })
})
