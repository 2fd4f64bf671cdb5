import type { MediaParameters } from '../rtp/media-parameters.ts'
import { type CryptoSuite, cryptoSuites } from '../rtp/srtp-keys.ts'
import type { AgreedMedia } from './negotiate.ts'

const directions = {
  truetrue: 'sendrecv',
  truefalse: 'sendonly',
  falsetrue: 'recvonly',
  falsefalse: 'inactive',
} as const
const isDynamic = (payload: number): boolean => payload >= 96 && payload <= 127

/** What both sides agreed on, as the sound's carrier wants it. */
export function mediaOf(agreed: AgreedMedia): Partial<MediaParameters> {
  const { remote, codec, keys, srtp, sends, receives } = agreed
  // 0.0.0.0 is an old way to say hold: there is nowhere to send to, and the address before stays good.
  const isNowhere = remote.address === '0.0.0.0' || remote.address === '::'
  const { address, port, rtcpPort } = remote
  return {
    ...(isNowhere ? {} : { remote: { address, port } }),
    rtcp: rtcpPort === port ? 'mux' : rtcpPort === port + 1 || isNowhere ? 'next' : { address, port: rtcpPort },
    codec: codec.name,
    direction: directions[`${sends}${receives}`],
    telephoneEvent: keys && isDynamic(keys.send) && isDynamic(keys.receive) ? keys : null,
    crypto: srtp && cryptoOf(srtp),
  }
}

const isSuite = (suite: string): suite is CryptoSuite => Object.hasOwn(cryptoSuites, suite)

function cryptoOf({ suite, localKey, remoteKey }: NonNullable<AgreedMedia['srtp']>) {
  if (!isSuite(suite)) return null
  return { suite, send: Buffer.from(localKey, 'base64'), receive: Buffer.from(remoteKey, 'base64') }
}
