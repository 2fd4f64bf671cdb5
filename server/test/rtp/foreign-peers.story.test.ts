import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSippEcho, whyNoSipp } from '../../bench/sipp-echo.ts'
import { whyMissing } from '../debian-packages.ts'
import { baresipProgram, startBaresip } from './baresip.ts'
import { invite } from './invite.ts'
import { at, plain, pool, someDigits } from './pools.ts'
import { bestMatch, listenFor, usualMatch, voiceLike } from './sound.ts'

const noSipp = whyNoSipp()
const noBaresip = whyMissing(['baresip'], [baresipProgram])
const media = pool(22_200)
const portOf = (answer: string) => Number(/m=audio (\d+)/.exec(answer)?.[1])

describe.skipIf(noSipp)(`against sipp${noSipp ? ` (skipped: ${noSipp})` : ''}`, () => {
  it('what its echo sends back is what we said, and every key comes back once', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-sipp-'))
    const echo = await startSippEcho(22_500, folder)
    const session = await (await media).open({ ...plain, remote: at(22_500), rtcp: 'mux' })
    try {
      const said = voiceLike(2)
      session.write(said)
      const heard = await listenFor(session.frames, 1.9)
      expect(bestMatch(said, heard.subarray(800, 14_000)).correlation).toBeGreaterThan(0.99)
      session.sendDigits('0123456789*#')
      expect(await someDigits(session, 12)).toBe('0123456789*#')
      expect((await session.stats())?.received).toMatchObject({ lost: 0, invalid: 0, foreign: 0 })
    } finally {
      await session.close()
      await echo.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe.skipIf(noBaresip)(`against baresip${noBaresip ? ` (skipped: ${noBaresip})` : ''}`, () => {
  it.each([
    ['PCMU', 0],
    ['PCMA', 8],
  ] as const)('it understands our %s and we understand its', async (codec, type) => {
    const baresip = await startBaresip(22_600, null)
    const session = await (await media).open({ ...plain, codec })
    try {
      const call = await invite(22_600, [
        `m=audio ${session.localPort} RTP/AVP ${type}`,
        `a=rtpmap:${type} ${codec}/8000`,
      ])
      session.update({ remote: at(portOf(call.answer)) })
      const said = voiceLike(3)
      session.write(said)
      const heard = await listenFor(session.frames, 2.5)
      expect(usualMatch(said, heard)).toBeGreaterThan(0.99)
      await call.hangUp()
    } finally {
      await session.close()
      await baresip.stop()
    }
  })

  it.each(['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const)(
    'the same under its SRTP (%s)',
    async (suite) => {
      const baresip = await startBaresip(22_700, 'srtp-mand')
      const session = await (await media).open(plain)
      try {
        const send = randomBytes(30)
        const call = await invite(22_700, [
          `m=audio ${session.localPort} RTP/SAVP 0`,
          `a=crypto:1 ${suite} inline:${send.toString('base64')}`,
          'a=rtpmap:0 PCMU/8000',
        ])
        const [, answered, key = ''] = /a=crypto:1 (\S+) inline:([^\s|]+)/.exec(call.answer) ?? []
        expect(answered).toBe(suite)
        const crypto = { suite, send, receive: Buffer.from(key, 'base64') }
        session.update({ remote: at(portOf(call.answer)), crypto })
        const said = voiceLike(3)
        session.write(said)
        const heard = await listenFor(session.frames, 2.5)
        expect(usualMatch(said, heard)).toBeGreaterThan(0.99)
        expect((await session.stats())?.received.rejected).toBe(0)
        await call.hangUp()
      } finally {
        await session.close()
        await baresip.stop()
      }
    },
  )
})
