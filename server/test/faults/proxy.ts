import { once } from 'node:events'
import net from 'node:net'

/** A wire to the database that can be cut and mended. */
export async function createWire(databaseUrl: string) {
  let target = new URL(databaseUrl)
  const sockets = new Set<net.Socket>()
  const join = (client: net.Socket) => {
    const server = net.connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server).pipe(client)
  }
  let listener = net.createServer(join).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as net.AddressInfo
  const url = new URL(databaseUrl)
  url.port = String(port)
  return {
    url: url.href,
    cut: async () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
    mend: async () => {
      listener = net.createServer(join).listen(port, '127.0.0.1')
      await once(listener, 'listening')
    },
    /** The database is somewhere else now: it was started again. */
    lead: (newUrl: string) => {
      target = new URL(newUrl)
    },
    close: () => {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
