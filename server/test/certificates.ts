import { generate } from 'selfsigned'

export type Certificate = { key: string; cert: string }
export type TestCa = Certificate & {
  issue(options?: { names?: string[]; notAfterDate?: Date; notBeforeDate?: Date }): Promise<Certificate>
}

/** An authority of the tests' own, and certificates it has signed. */
export async function createTestCa(): Promise<TestCa> {
  const ca = await generate([{ name: 'commonName', value: 'Parley test CA' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    key: ca.private,
    cert: ca.cert,
    issue: async ({ names = ['localhost'], ...dates } = {}) => {
      const made = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ...dates,
        ca: { key: ca.private, cert: ca.cert },
        extensions: [
          {
            name: 'subjectAltName',
            altNames: [...names.map((value) => ({ type: 2 as const, value })), { type: 7 as const, ip: '127.0.0.1' }],
          },
        ],
      })
      return { key: made.private, cert: made.cert }
    },
  }
}
