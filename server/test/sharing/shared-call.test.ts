import { SharedCall } from '@parley/contract/sharing'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { createTestApp, testClock } from '../app.ts'
import { browser, sharing, sharingOf, visible } from './shared.ts'

const clock = testClock()
const t = await createTestApp({ workers: {}, clock })
const s = sharingOf(t, clock)
const prompt = 'You are Asha. Never mention the xylophone budget.'
const org = await t.organisation({
  ...sharing(),
  branches: [{ name: 'Main' }],
  windows: [{ branch: 'Main', session: 'Morning', ai_slots: 50 }],
  agents: [{ name: 'Asha', number: '+15005550000', branch: 'Main', prompt }],
})
const person = { user_email: 'maya@private.test', additional_info: { diagnosis: 'quinsy' } }
const call = await s.call(org, person)
const links = await s.link(org, call.call_id)
const all = [links.dataUrl, links.detailsUrl, links.recordingUrl, links.transcriptUrl]
const wrong = links.token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

describe('§4.11 GET /public/call/{call_id}', () => {
  it('answers call, insights, transcript, appointments and recording_url, raw', async () => {
    const answer = await s.get(links.dataUrl)
    expect(answer.statusCode).toBe(200)
    const body = answer.json<SharedCall>()
    expect(Object.keys(body)).toEqual(['call', 'insights', 'transcript', 'appointments', 'recording_url'])
    expect(Value.Check(SharedCall, body)).toBe(true)
    expect(body.call).toEqual({
      call_id: call.call_id,
      status: 'completed',
      call_direction: 'outbound',
      agent_name: 'Asha',
      contact_name: 'Maya',
      organisation_name: 'Acme Clinic',
      call_duration_seconds: call.call_duration_seconds,
      scheduled_at: call.scheduled_at,
      call_triggered_at: call.call_triggered_at,
      completed_at: call.completed_at,
    })
    expect(body.insights).toEqual({ ...call.call_analytics, extracted_details: call.extracted_details })
    expect(body.transcript).toEqual(call.call_transcript)
    expect(body.appointments).toMatchObject([{ status: 'confirmed', session: 'Morning', timezone: 'Asia/Kolkata' }])
    expect(body.recording_url).toBe(links.recordingUrl)
  })

  it('shows no prompt, number, e-mail, additional_info, key, id of the organisation or other call', async () => {
    const texts = await Promise.all([links.dataUrl, links.detailsUrl].map(async (link) => (await s.get(link)).body))
    const secrets = [prompt, 'xylophone', call.contact_number, 'private.test', 'quinsy', org.key, org.organisationId]
    for (const secret of [...secrets, org.agentId, 'signature=', 'credits']) {
      for (const text of texts) expect(text).not.toContain(secret)
    }
    for (const text of texts) {
      expect(new Set(text.match(/call_[0-9a-f]{32}/g) ?? [call.call_id])).toEqual(new Set([call.call_id]))
    }
  })

  it('leads to the recording, whole and in part, and to the transcript', async () => {
    const sound = await s.get(links.recordingUrl)
    expect([sound.statusCode, sound.headers['content-type']]).toEqual([200, 'audio/wav'])
    const part = await s.get(links.recordingUrl, { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, 'RIFF'])
    expect((await s.get(links.recordingUrl, { range: 'bytes=999999999-' })).statusCode).toBe(416)
    const transcript = await s.get(links.transcriptUrl)
    expect(transcript.json()).toEqual(call.call_transcript)
    const peaks = await s.get(links.recordingUrl.replace('/recording', '/peaks'))
    expect(peaks.json()).toMatchObject({ duration_seconds: expect.any(Number), agent: expect.any(Array) })
  })

  it('without a recording says so: the call was never answered', async () => {
    const unanswered = await s.call(org, { user_number: '+15005550003' })
    const { dataUrl, recordingUrl, transcriptUrl, detailsUrl } = await s.link(org, unanswered.call_id)
    expect((await s.get(dataUrl)).json()).toMatchObject({ recording_url: null, transcript: [], insights: null })
    const nothing = await s.get(recordingUrl)
    expect(nothing.statusCode).toBe(404)
    expect((await s.get(transcriptUrl)).statusCode).toBe(404)
    const page = await s.get(detailsUrl, browser)
    expect(page.body).toContain('Nobody answered')
    expect(page.body).not.toContain('<audio')
  })
})

describe('every answer', () => {
  it('is kept out of caches, search engines and referrers, refusals included', async () => {
    const bad = all.map((link) => link.replace(links.token, wrong))
    for (const link of [...all, ...bad]) {
      for (const headers of [{}, browser]) {
        expect((await s.get(link, headers)).headers).toMatchObject({
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        })
      }
    }
  })

  it('takes GET alone', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const answer = await t.app.inject({ method, url: `/public/call/${call.call_id}?token=${links.token}` })
      expect(answer.statusCode).toBe(405)
    }
  })
})

describe('the same 404', () => {
  it('for a missing, wrong, doubled or odd token, an unknown call, and a closed one', async () => {
    const stranger = await t.organisation(sharing('Other'))
    const closed = await t.organisation(sharing('Closed'))
    const [theirs, revoked, off] = [await s.call(stranger), await s.call(org), await s.call(closed)]
    const theirToken = (await s.link(stranger, theirs.call_id)).token
    const revokedToken = (await s.link(org, revoked.call_id)).token
    const offToken = (await s.link(closed, off.call_id)).token
    const unshared = await s.call(org)
    await s.revoke(org, revoked.call_id)
    await s.set(closed, { enabled: false })
    const asks: [string, string][] = [
      [call.call_id, ''],
      [call.call_id, `?X=${links.token}`],
      ...['', wrong, links.token.slice(1), `${links.token}0`, links.token.toUpperCase(), theirToken, `%00${wrong}`].map(
        (token): [string, string] => [call.call_id, `?T=${token}`],
      ),
      [call.call_id, `?T=${links.token}&T=${links.token}`],
      [call.call_id, `?T[]=${links.token}`],
      [call.call_id, `?T=${'x'.repeat(8_000)}`],
      [`call_${'0'.repeat(32)}`, `?T=${links.token}`],
      [theirs.call_id, `?T=${links.token}`],
      ['x', `?T=${links.token}`],
      ['%00', `?T=${links.token}`],
      [call.call_id.toUpperCase(), `?T=${links.token}`],
      [revoked.call_id, `?T=${revokedToken}`],
      [off.call_id, `?T=${offToken}`],
      [unshared.call_id, `?T=${links.token}`],
    ]
    for (const [place, name] of [
      ['', 'token'],
      ['/details', 'share_token'],
      ['/recording', 'token'],
      ['/transcript', 'token'],
      ['/peaks', 'token'],
    ] as const) {
      const ask = (id: string, query: string, headers: object) =>
        s.get(`/public/call/${id}${place}${query.replaceAll('T=', `${name}=`).replaceAll('T[', `${name}[`)}`, headers)
      for (const headers of [{}, browser]) {
        const first = await ask(call.call_id, '', headers)
        expect(first.statusCode).toBe(404)
        for (const [id, query] of asks) {
          expect(visible(await ask(id, query, headers)), `${id}${place}${query}`).toEqual(visible(first))
        }
      }
    }
  })

  it('in the usual body for programs, and as a page for a browser that opens the page', async () => {
    const bad = links.detailsUrl.replace(links.token, wrong)
    const program = await s.get(bad)
    expect(program.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND', details: [] } })
    const page = await s.get(bad, browser)
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('This link does not work')
    const data = await s.get(links.dataUrl.replace(links.token, wrong), browser)
    expect(data.json().error.code).toBe('NOT_FOUND')
  })

  it('for a call that was erased, and its row is gone', async () => {
    const gone = await s.call(org)
    const theLinks = await s.link(org, gone.call_id)
    expect((await s.get(theLinks.dataUrl)).statusCode).toBe(200)
    expect((await t.send(org.key, 'DELETE', `/v1/calls/${gone.call_id}`)).statusCode).toBe(200)
    for (const link of [theLinks.dataUrl, theLinks.detailsUrl, theLinks.recordingUrl, theLinks.transcriptUrl]) {
      expect((await s.get(link)).statusCode).toBe(404)
    }
    expect(await t.db.query('select 1 from call_shares where call_id = $1', [gone.call_id])).toEqual([])
    await expect(s.link(org, gone.call_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('also when the link is issued and the call erased in the same moment', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => s.call(org)))
    await Promise.all(
      made.flatMap(({ call_id }) => [
        s.link(org, call_id).catch(() => {}),
        t.send(org.key, 'DELETE', `/v1/calls/${call_id}`),
        s.link(org, call_id).catch(() => {}),
      ]),
    )
    const ids = made.map((each) => each.call_id)
    expect(await t.db.query('select call_id from call_shares where call_id = any($1)', [ids])).toEqual([])
  })
})

describe('the page for people', () => {
  it('is HTML of our own under a strict policy, with summary, outcome, player and transcript', async () => {
    const page = await s.get(links.detailsUrl, browser)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; media-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(page.body).toContain(String(call.call_analytics?.summary).replaceAll("'", '&#39;'))
    for (const text of ['Call with Maya', 'Appointment booked', '<audio controls', 'India Standard Time', 'Asha']) {
      expect(page.body).toContain(text)
    }
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(page.body).not.toMatch(/<script(?! type="module" src="\.\.)|style="|\son\w+=/)
    for (const asset of ['call.css', 'call.js']) {
      const file = await s.get(`/public/assets/${asset}`)
      expect([file.statusCode, file.headers['cache-control']]).toEqual([200, 'no-cache'])
      expect(file.body).not.toMatch(/https?:\/\/(?!www\.w3\.org)|@import|@font-face/)
    }
    expect((await s.get('/public/assets/nothing.js')).statusCode).toBe(404)
    expect((await s.get('/public/assets/..%2fpackage.json')).statusCode).toBe(404)
  })

  it('shows what strangers wrote as text, wherever it stands', async () => {
    const evil = `</title><script>alert(1)</script>"'><img src=x onerror=alert(2)>`
    const bad = await t.organisation({
      ...sharing(evil),
      agents: [{ name: evil, number: '+15005550000', greeting: `Hello ${evil}` }],
    })
    const hostile = await s.call(bad, { user_name: evil, user_preferred_language: 'en' })
    await t.db.query(
      `update calls set analytics = analytics || jsonb_build_object('summary', $2::text) where call_id = $1`,
      [hostile.call_id, evil],
    )
    const { detailsUrl } = await s.link(bad, hostile.call_id)
    const { body } = await s.get(detailsUrl, browser)
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body).not.toMatch(/<img|<\/title><script/)
    expect(body.match(/&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThanOrEqual(5)
  })
})
