import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

// Below the ports the system gives away by itself, and each process from another place on: who asks for a port has it a
// moment later, and nobody may have taken it meanwhile.
const [firstPort, manyPorts] = [27_000, 5_000]
let lastPort = (process.pid * 1_010) % manyPorts

/** Free for TCP and for UDP. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < manyPorts; tries += 1) {
    // Telephones take the next one too, for TLS.
    lastPort = (lastPort + 2) % manyPorts
    const port = firstPort + lastPort
    const free = await Promise.all([isFree(port, 'tcp'), isFree(port, 'udp'), isFree(port + 1, 'tcp')])
    if (free.every(Boolean)) return port
  }
  throw new Error('No port is free.')
}

function isFree(port: number, transport: 'tcp' | 'udp'): Promise<boolean> {
  const server = transport === 'tcp' ? createServer() : createSocket('udp4')
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.once('listening', () => void server.close(() => resolve(true)))
    if ('listen' in server) server.listen(port, '127.0.0.1')
    else server.bind(port, '127.0.0.1')
  })
}
