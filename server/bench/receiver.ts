import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'

/**
 * The receiver of all contenders: `node receiver.mjs PORT KEY_FILE CERT_FILE`. POST /hang is never answered; any other
 * POST is, and its X-Webhook-Id is noted with the time. GET /report gives the notes away and starts anew.
 */
const [port, keyFile, certFile] = process.argv.slice(2)
let times: [string, number][] = []
const now = () => performance.timeOrigin + performance.now()

const server = createServer(
  { key: readFileSync(String(keyFile)), cert: readFileSync(String(certFile)) },
  (req, res) => {
    if (req.method === 'GET') {
      res.end(JSON.stringify(times))
      times = []
      return
    }
    req.resume()
    if (req.url === '/hang') return
    req.on('end', () => {
      times.push([String(req.headers['x-webhook-id']), now()])
      res.writeHead(200, { 'content-type': 'text/plain', 'content-length': '2' })
      res.end('ok')
    })
  },
)
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'))
