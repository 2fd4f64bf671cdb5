import { describe, expect, it } from 'vitest'
import { startRawServer } from '../../test/raw-server.ts'
import { testCa } from '../../test/receiver.ts'
import { createMediaLinks } from '../media/media-links.ts'
import { createSafePost } from '../platform/safe-post.ts'
import { createVault } from '../platform/secrets.ts'
import { excerptOf, type SendDeps, sendEvent, type ToSend } from './send-event.ts'

const secret = 'whsec_0123456789abcdefghijklmnopqrstuvwxyz'
const excerpt = (response: string | Buffer) => excerptOf(Buffer.from(response), [secret])

describe('what is kept of an answer', () => {
  it('nothing of an empty one', () => expect(excerpt('')).toBeNull())

  it('a script stays the text it was', () => {
    const page = '<html><script>alert(1)</script>"\'&</html>'
    expect(excerpt(page)).toBe(page)
  })

  it('NUL and bytes that are not UTF-8 become U+FFFD', () => {
    expect(excerpt(Buffer.from([0x61, 0, 0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x62]))).toMatch(/^a�+b$/)
    expect(excerpt('\0')).toBe('�')
  })

  it('never more than 16 KiB, though a bad byte takes three', () => {
    for (const bytes of [Buffer.alloc(16_384, 0xff), Buffer.alloc(16_384), Buffer.from('€'.repeat(5_461))]) {
      const text = excerptOf(bytes, []) ?? ''
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384)
      expect(Buffer.byteLength(text)).toBeGreaterThan(16_380)
    }
  })

  it('our secret is masked wherever it stands', () => {
    expect(excerpt(`{"secret":"${secret}","again":"${secret}"}`)).toBe('{"secret":"•••","again":"•••"}')
  })

  it('a secret that the end of the excerpt cuts in two is masked too', () => {
    for (const length of [8, 20, secret.length - 1]) expect(excerpt(`a ${secret.slice(0, length)}`)).toBe('a •••')
    expect(excerpt('a whsec_')).toBe('a whsec_')
  })
})

it('an attempt shows neither secret nor signature, in the answer or in the place a redirect points to', async () => {
  const server = await startRawServer((socket, request) => {
    const echo = `${secret}+${/^x-webhook-signature: (.*)$/m.exec(request)?.[1]?.trim()}`
    socket.write(`HTTP/1.1 302 Go\r\nLocation: /?${echo}\r\nContent-Length: ${echo.length}\r\n\r\n${echo}`)
  })
  const vault = createVault('secret for tests only')
  const safePost = createSafePost({
    refusalOf: () => null,
    resolve: async () => ['127.0.0.1'],
    timeoutMs: 5_000,
    ca: (await testCa()).cert,
  })
  const mediaLinks = createMediaLinks('secret for tests only', 'https://parley.example')
  // This organisation shares nothing: nobody asks for links.
  const shares = {} as SendDeps['shares']
  const event: ToSend = {
    url: server.url,
    signing: true,
    secret: vault.seal(secret),
    organisation_id: 'org_1',
    event_id: 'evt_1',
    type: 'call.failed',
    call_id: 'call_1',
    data: '{}',
    has_media: false,
    is_shared: false,
    created_at: new Date(0),
    is_test: false,
  }
  const sent = await sendEvent({ vault, mediaLinks, shares, safePost }, event, new Date(0))
  await safePost.close()
  expect(server.requests[0]).toContain('x-webhook-signature: v1=')
  expect(sent).toMatchObject({ failure: 'redirect', detail: '/?•••+•••', response: '•••+•••' })
})
