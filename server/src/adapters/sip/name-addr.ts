import { parseParams, SipParseError, splitOutside, unquote } from './grammar.ts'

/** The value of From, To, Contact, Route, Refer-To: who, and the header's own parameters. */
export type NameAddr = { display: string; uri: string; params: ReadonlyMap<string, string> }

export function parseNameAddr(value: string): NameAddr {
  const [main = '', ...rest] = splitOutside(value, ';')
  const open = openingBracket(main)
  // Without brackets, what follows a semicolon belongs to the header (RFC 3261 §20.10).
  if (open < 0) return checked({ display: '', uri: main, params: parseParams(rest) })
  const close = main.indexOf('>', open)
  if (close < 0) throw new SipParseError('An address is not closed.')
  const display = unquote(main.slice(0, open).trim())
  return checked({ display, uri: main.slice(open + 1, close).trim(), params: parseParams(rest) })
}

function openingBracket(main: string): number {
  if (!main.startsWith('"')) return main.indexOf('<')
  let index = 1
  while (index < main.length && main[index] !== '"') index += main[index] === '\\' ? 2 : 1
  return main.indexOf('<', index)
}

function checked(address: NameAddr): NameAddr {
  if (address.uri === '' || /[\s<>"]/.test(address.uri)) throw new SipParseError('An address has no readable URI.')
  return address
}
