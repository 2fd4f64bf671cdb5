import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { createTestCa } from '../certificates.ts'
import { whyMissing } from '../debian-packages.ts'
import { freePort } from './free-port.ts'
import { listening } from './sipp.ts'

/** Why Kamailio is not there to test with; null when it is. */
export const whyNoKamailio = (): string | null =>
  whyMissing(['kamailio', 'kamailio-tls-modules'], ['/usr/sbin/kamailio', tlsModule()])

const libraries = '/usr/lib'
/** Debian keeps modules under the name of the machine's architecture. */
function tlsModule(): string {
  const places = (existsSync(libraries) ? readdirSync(libraries) : []).filter((name) => name.endsWith('-linux-gnu'))
  return join(libraries, places[0] ?? '', 'kamailio/modules/tls.so')
}

// Said here, where the file is collected: a hook that is added while tests run is never called.
const cleanUps: (() => Promise<void>)[] = []
afterAll(async () => {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()))
})

export type Kamailio = {
  udp: number
  tcp: number
  tls: number
  ca: string
  start(): Promise<void>
  stop(): Promise<void>
}
/** Of a telephone at that port: a number that may be called. */
export const numberAt = (port: number): string => `+1555${String(port).padStart(7, '0')}`
export const account = { user: 'parley', password: 'right' }

/**
 * A carrier's proxy: challenges every caller, stays on the route, and sends a number that ends in a port (`+1555<port>`) on to
 * a telephone at that port of this machine. Who registers is called at the connection it registered from, also by the
 * `numbers` of its account.
 */
export async function startKamailio(
  algorithm: 'MD5' | 'SHA-256',
  numbers: Readonly<Record<string, string>> = {},
): Promise<Kamailio> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kamailio-'))
  const ca = await createTestCa()
  const { cert, key } = await ca.issue()
  const [port, tls] = [await freePort(), await freePort()]
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const tlsFile = file(
    'tls.cfg',
    `[server:default]
method = TLSv1.2+
private_key = ${file('key.pem', key)}
certificate = ${file('cert.pem', cert)}
verify_certificate = no
require_certificate = no
`,
  )
  const config = file('kamailio.cfg', configOf({ port, tls, tlsFile, algorithm, numbers }))
  const args = ['-f', config, '-DD', '-E', '-m', '32', '-M', '4', '-w', folder, '-P', join(folder, 'pid'), '-Y', folder]
  let child: ChildProcess
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  const start = async () => {
    child = spawn('kamailio', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk).slice(-4_000)
    })
    await Promise.all([listening(port, 'udp', child), listening(port, 'tcp', child), listening(tls, 'tls', child)])
    if (child.exitCode !== null) throw new Error(`Kamailio did not start:\n${errors}`)
  }
  cleanUps.push(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { udp: port, tcp: port, tls, ca: ca.cert, start, stop }
}

type Settings = {
  port: number
  tls: number
  tlsFile: string
  algorithm: string
  numbers: Readonly<Record<string, string>>
}
/** As carriers do: the account takes the number's place in the Request-URI, what was dialled stays in To. */
const toAccount = ([number, user]: [string, string]) =>
  `if ($rU == "${number}") { $rU = "${user}"; $avp(account) = "yes"; }`
const configOf = (options: Settings): string => `
debug=1
log_stderror=yes
children=1
tcp_children=2
enable_tls=yes
auto_aliases=no
listen=udp:127.0.0.1:${options.port}
listen=tcp:127.0.0.1:${options.port}
listen=tls:127.0.0.1:${options.tls}
alias="127.0.0.1:${options.port}"
alias="127.0.0.1:${options.tls}"
loadmodule "tls.so"
loadmodule "sl.so"
loadmodule "tm.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "auth.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "nathelper.so"
modparam("tls", "config", "${options.tlsFile}")
modparam("rr", "enable_double_rr", 1)
modparam("auth", "algorithm", "${options.algorithm}")
modparam("auth", "qop", "auth")
modparam("usrloc", "db_mode", 0)
modparam("registrar|nathelper", "received_avp", "$avp(rcv)")

request_route {
  force_rport();
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (has_totag()) {
    handle_ruri_alias();
    if (!loose_route() && !is_method("ACK")) { sl_send_reply("404", "Not Here"); exit; }
    t_relay();
    exit;
  }
  if (is_method("CANCEL")) { t_relay(); exit; }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("carrier", "${account.password}", "0")) { www_challenge("carrier", "1"); exit; }
    fix_nated_register();
    save("location");
    exit;
  }
  if (!is_method("INVITE")) { sl_send_reply("405", "Method Not Allowed"); exit; }
  record_route();
  t_on_reply("ANSWERS");
  ${Object.entries(options.numbers).map(toAccount).join('\n  ')}
  if ($rU == "${account.user}" || $avp(account) == "yes") {
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    t_relay();
    exit;
  }
  if (!pv_proxy_authenticate("carrier", "${account.password}", "0")) { proxy_challenge("carrier", "1"); exit; }
  consume_credentials();
  $du = "sip:127.0.0.1:" + $(rU{s.substr,-5,0});
  t_relay();
}
onreply_route[ANSWERS] { set_contact_alias(); }
`
