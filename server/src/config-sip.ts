import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { SettingReader } from './config-speech.ts'

export const sipSettings = {
  PARLEY_SIP_HOST: ['0.0.0.0', 'Address to listen on for SIP and sound, once there is a trunk.'],
  PARLEY_SIP_PORT: ['5060', 'Port for SIP over UDP and TCP.'],
  PARLEY_SIP_TLS_PORT: ['5061', 'Port for calls that come in over TLS; used with a certificate.'],
  PARLEY_SIP_TLS_CERT_FILE: ['none', 'Our certificate for calls that come in over TLS, a PEM file.'],
  PARLEY_SIP_TLS_KEY_FILE: ['none', 'Its key. Required with `PARLEY_SIP_TLS_CERT_FILE`.'],
  PARLEY_SIP_PUBLIC_ADDRESS: [
    "the machine's own",
    'How carriers reach this node, when it is behind NAT: an IP address.',
  ],
  PARLEY_SIP_CA_FILE: ['the public authorities', "An authority to trust for carriers' certificates, a PEM file."],
  PARLEY_SIP_ALLOW_PRIVATE: [
    'false',
    '`true` lets trunks lead into private networks: set up in the dashboard, or by a name. `parley apply` may always name a private address.',
  ],
} as const
export type SipSettingName = keyof typeof sipSettings

type Reader = Pick<SettingReader<SipSettingName>, 'text' | 'problem'> & {
  port(name: SipSettingName): number
  truth(name: SipSettingName): boolean
}

export function parseSip({ text, problem, port, truth }: Reader) {
  const host = text('PARLEY_SIP_HOST') ?? sipSettings.PARLEY_SIP_HOST[0]
  const publicAddress = text('PARLEY_SIP_PUBLIC_ADDRESS')
  for (const [name, value] of [
    ['PARLEY_SIP_HOST', host],
    ['PARLEY_SIP_PUBLIC_ADDRESS', publicAddress],
  ] as const) {
    if (value !== undefined && isIP(value) === 0) problem(`${name} must be an IP address, but it is "${value}".`)
  }
  const files = ['PARLEY_SIP_TLS_CERT_FILE', 'PARLEY_SIP_TLS_KEY_FILE', 'PARLEY_SIP_CA_FILE'] as const
  for (const name of files) {
    const file = text(name)
    if (file && !existsSync(file)) problem(`${name} must name a file, but it is "${file}".`)
  }
  const [certFile, keyFile] = [text('PARLEY_SIP_TLS_CERT_FILE'), text('PARLEY_SIP_TLS_KEY_FILE')]
  if ((certFile === undefined) !== (keyFile === undefined))
    problem('PARLEY_SIP_TLS_CERT_FILE and PARLEY_SIP_TLS_KEY_FILE go together.')
  const names = Object.keys(sipSettings) as SipSettingName[]
  return {
    host,
    port: port('PARLEY_SIP_PORT'),
    tlsPort: port('PARLEY_SIP_TLS_PORT'),
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    publicAddress,
    caFile: text('PARLEY_SIP_CA_FILE'),
    allowPrivate: truth('PARLEY_SIP_ALLOW_PRIVATE'),
    /** Somebody wants SIP, though there may be no trunk yet. */
    isSet: names.some((name) => name !== 'PARLEY_SIP_ALLOW_PRIVATE' && text(name) !== undefined),
  }
}
