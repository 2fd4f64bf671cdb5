import net from 'node:net'

/**
 * Load from a process of its own: `node load.mjs PORT SECONDS CONNECTIONS PATH HEADERS_JSON BODY`. Written on bare
 * sockets because on two cores a heavier client would measure itself; every request carries an Idempotency-Key of its
 * own. Prints one JSON line: requests answered, answers by status, latency quantiles in ms.
 */
const [port, seconds, connections, path, headers, body] = process.argv.slice(2)
const endsAt = performance.now() + Number(seconds) * 1_000
const latencies: number[] = []
const statuses: Record<string, number> = {}
let serial = 0

const head = (key: string) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(String(body))}`,
    `idempotency-key: ${key}`,
    ...Object.entries(JSON.parse(String(headers)) as Record<string, string>).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    '',
  ].join('\r\n')
const [before, after] = head('%').split('%') as [string, string]
const run = `${process.pid}-${Date.now()}`

/** Whether a whole answer has come; ours and the bare one always say how long it is. */
function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /content-length: (\d+)/i.exec(answer)?.[1] ?? 0
  return answer.length >= end + 4 + Number(length)
}

function connect(): Promise<void> {
  return new Promise((resolve, reject) => {
    let began = 0
    let received = ''
    const take = (bytes: number, buffer: Uint8Array): boolean => {
      received += (buffer as Buffer).toString('latin1', 0, bytes)
      if (!isWhole(received)) return true
      latencies.push(performance.now() - began)
      const status = received.slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
      received = ''
      send()
      return true
    }
    const socket = net.connect({
      host: '127.0.0.1',
      port: Number(port),
      noDelay: true,
      // Without a stream in between: the less this process takes, the less it measures itself.
      onread: { buffer: Buffer.alloc(16_384), callback: take },
    })
    const send = () => {
      if (performance.now() > endsAt) {
        socket.end()
        resolve()
        return
      }
      serial += 1
      began = performance.now()
      socket.write(`${before}${run}-${serial}${after}${body}`, 'latin1')
    }
    socket.on('connect', send)
    socket.on('error', reject)
  })
}

await Promise.all(Array.from({ length: Number(connections) }, connect))
latencies.sort((a, b) => a - b)
const quantile = (q: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * q))] ?? 0
process.stdout.write(
  `${JSON.stringify({ answered: latencies.length, statuses, p50: quantile(0.5), p99: quantile(0.99) })}\n`,
)
