/** Pieces of sipp scenarios. A scenario is a list of them. */
export const scenario = (...steps: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="parley">\n${steps.join('\n')}\n</scenario>\n`

export const pause = (ms: number): string => `<pause milliseconds="${ms}"/>`

type Sdp = { direction?: string; address?: string; version?: number; port?: number; lines?: string }
export const sdp = ({
  direction = 'sendrecv',
  address = '127.0.0.1',
  version = 1,
  port = 6000,
  lines = '',
}: Sdp = {}) =>
  `v=0
o=peer 7 ${version} IN IP4 127.0.0.1
s=-
c=IN IP4 ${address}
t=0 0
m=audio ${port} RTP/AVP 8 0 101
a=rtpmap:8 PCMA/8000
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
${lines}a=${direction}`

const message = (head: string, headers: string, body: string | null): string =>
  `<![CDATA[
${head}
${headers.trim()}
${body === null ? 'Content-Length: 0\n' : `Content-Type: application/sdp\nContent-Length: [len]\n\n${body}`}
]]>`

const contact = 'Contact: <sip:peer@[local_ip]:[local_port];transport=[transport]>'

/** The INVITE of a call: its Via and CSeq are kept, to be answered after other requests have come. */
export const recvInvite = (more = ''): string => `<recv request="INVITE" rrs="true">
<action>
<ereg regexp=".*" search_in="hdr" header="Via:" assign_to="via"/>
<ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="cseq"/>
<ereg regexp=".*" search_in="hdr" header="To:" assign_to="to"/>
<ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>
${more}
</action>
</recv>
<Reference variables="via,cseq,to,from"/>`

export const recv = (request: string, more = ''): string => `<recv request="${request}">${more}</recv>`
export const expect = (status: number, more = ''): string => `<recv response="${status}" ${more}/>`
export const maybe = (status: number): string => `<recv response="${status}" optional="true"/>`

type Answer = { tag?: string; headers?: string; body?: string | null; retrans?: boolean }
/** To the INVITE kept by `recvInvite`. */
export const answerInvite = (
  line: string,
  { tag = 't[call_number]', headers = '', body = null, retrans = false }: Answer = {},
) =>
  `<send${retrans ? ' retrans="500"' : ''}>${message(
    `SIP/2.0 ${line}`,
    `Via:[$via]\nFrom:[$from]\nTo:[$to];tag=${tag}\n[last_Call-ID:]\nCSeq:[$cseq]\n${contact}\n${headers}`,
    body,
  )}</send>`

/** To whatever request came last inside the call. */
export const answerLast = (line: string, { headers = '', body = null }: Answer = {}): string =>
  `<send>${message(`SIP/2.0 ${line}`, `[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\n${contact}\n${headers}`, body)}</send>`

type Ask = { cseq: number; tag?: string; headers?: string; body?: string | null; type?: string }
/** A request of the callee's inside the call. */
export const askBack = (method: string, { cseq, tag = 't[call_number]', headers = '', body = null }: Ask): string =>
  `<send>${message(
    `${method} [next_url] SIP/2.0`,
    `Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\nFrom:[$to];tag=${tag}\nTo:[$from]\n[last_Call-ID:]\nCSeq: ${cseq} ${method}\nMax-Forwards: 70\n${contact}\n${headers}`,
    body,
  )}</send>`

/** A report about a transfer. */
export const notify = (cseq: number, state: string, line: string): string =>
  askBack('NOTIFY', {
    cseq,
    headers: `Event: refer\nSubscription-State: ${state}`,
    body: `SIP/2.0 ${line}`,
  }).replace('application/sdp', 'message/sipfrag')

/** Answers, and stands until we hang up. */
export const answerAndWait = (headers = ''): string[] => [
  answerInvite('200 OK', { headers, body: sdp() }),
  recv('ACK'),
  recv('BYE'),
  answerLast('200 OK'),
]
