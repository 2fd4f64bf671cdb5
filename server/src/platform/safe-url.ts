import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { oneOf, refusalOfAddress } from './address-guard.ts'

export type UrlRefusal = { code: string; message: string }
/** All A and AAAA answers; rejects when the name does not resolve. */
export type Resolve = (hostname: string) => Promise<string[]>

type Options = { allowPrivate: boolean; ownHosts: readonly string[]; resolve: Resolve }

const longestUrl = 2048
const resolveLimitMs = 3000

const refusals = {
  url_too_long: `The URL is longer than ${longestUrl} characters. Shorten it.`,
  invalid_characters: 'The URL contains spaces, control characters or backslashes. Remove or percent-encode them.',
  malformed_url: 'This is not a complete URL. Give one such as https://example.com/webhooks.',
  not_https: 'Webhooks are sent over https only. Give a URL that starts with https://.',
  credentials_in_url:
    'The URL contains a user name or password. Remove them and verify the webhook signature to know the sender.',
  fragment_in_url: 'The URL contains a fragment (#), which is never sent. Remove it.',
  port_not_allowed: 'This port is not allowed. Use 443 or a port above 1024.',
  private_name: 'This host name is only known inside a private network. Give a public host name.',
  own_address: 'The URL leads to this service, or to the machine it runs on. Give the URL of your own server.',
  private_address:
    'The host of the URL is not at a public internet address. Give one that can be reached from anywhere.',
} as const

/** Why a webhook URL may not be registered, or null. The connector asks again at every send (decisions §6). */
export async function refusalOfWebhookUrl(url: string, options: Options): Promise<UrlRefusal | null> {
  if (url.length > longestUrl) return refusal('url_too_long')
  // The URL parser drops tabs and newlines, trims, and reads \ as /: other parsers see another host.
  if (/[\s\p{Cc}\\]/u.test(url)) return refusal('invalid_characters')
  if (!URL.canParse(url)) return refusal('malformed_url')
  const parsed = new URL(url)
  if (parsed.protocol !== 'https:') return refusal('not_https')
  return refusalOfSpelling(url, parsed.hostname) ?? (options.allowPrivate ? null : refusalOfTarget(parsed, options))
}

/** What the parser forgives, we do not: https:host, https:///host, empty credentials, an empty fragment. */
function refusalOfSpelling(url: string, hostname: string): UrlRefusal | null {
  const authority = /^https:\/\/([^/?#]+)/i.exec(url)?.[1]
  if (authority === undefined) return refusal('malformed_url')
  if (authority.includes('@')) return refusal('credentials_in_url')
  if (url.includes('#')) return refusal('fragment_in_url')
  return isAddress(hostname) || isName(bare(hostname)) ? null : refusal('malformed_url')
}

async function refusalOfTarget(url: URL, { ownHosts, resolve }: Options): Promise<UrlRefusal | null> {
  if (url.port !== '' && Number(url.port) <= 1024) return refusal('port_not_allowed')
  const host = bare(url.hostname)
  const own = ownHosts.map(bare)
  if (own.includes(host)) return refusal('own_address')
  if (!isAddress(url.hostname) && isPrivateName(host)) return refusal('private_name')
  // A name that does not resolve yet may be registered (decisions §6).
  const answers = isAddress(url.hostname) ? [host] : await resolve(url.hostname).catch(() => [])
  if (answers.some(oneOf(own))) return refusal('own_address')
  const reason = answers.map(refusalOfAddress).find((found) => found !== null)
  return reason ? refusal('private_address', ` Kind of address: ${reason}.`) : null
}

type Lookup = (hostname: string, options: { all: true; verbatim: true }) => Promise<{ address: string }[]>

/** dns.lookup, so that the answers are those a connection would use. It cannot be cancelled, only left behind. */
export async function resolveAll(hostname: string, ask: Lookup = lookup, limitMs = resolveLimitMs): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const late = Object.assign(new Error('The name did not resolve in time'), { code: 'EAI_AGAIN' })
    timer = setTimeout(() => reject(late), limitMs)
  })
  try {
    const answers = await Promise.race([ask(hostname, { all: true, verbatim: true }), limit])
    return answers.map(({ address }) => address)
  } finally {
    clearTimeout(timer)
  }
}

function refusal(code: keyof typeof refusals, more = ''): UrlRefusal {
  return { code, message: refusals[code] + more }
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
}

function isAddress(hostname: string): boolean {
  return isIP(bare(hostname)) !== 0
}

function isName(host: string): boolean {
  return host.length <= 253 && host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

// A name without a dot is completed by the resolver's own search list, so it is never a public one.
function isPrivateName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host)
}
