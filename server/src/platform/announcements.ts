import pg from 'pg'
import { randomToken } from './secrets.ts'

export const channels = ['deliveries', 'events'] as const
export type Channel = (typeof channels)[number]

/** A hint that something has changed. It may be lost: whoever listens also looks from time to time. */
export type Announcements = {
  announce(channel: Channel): void
  /** Returns how to stop listening. */
  onAnnounced(channel: Channel, listener: () => void): () => void
  close(): Promise<void>
}

// A NOTIFY inside a writing transaction makes commits wait for each other; after it, and gathered, it costs next to nothing.
const gatherMs = 15
const reconnectMs = 1_000
const nameOf = (channel: Channel) => `parley_${channel}`

export function createAnnouncements(
  { url, applicationName }: { url: string; applicationName: string },
  query: (text: string, values: unknown[]) => Promise<unknown>,
): Announcements {
  const self = randomToken(8)
  const listeners = new Map<Channel, Set<() => void>>()
  const pending = new Set<Channel>()
  let timer: NodeJS.Timeout | undefined
  let connection: pg.Client | undefined
  let closed = false

  const tell = (channel: Channel) => {
    for (const listener of listeners.get(channel) ?? []) listener()
  }
  const notify = () => {
    timer = undefined
    for (const channel of pending) query('select pg_notify($1, $2)', [nameOf(channel), self]).catch(() => {})
    pending.clear()
  }
  /** One connection hears for all listeners of this process; a broken one is replaced. */
  const listen = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, application_name: applicationName, keepAlive: true })
    connection = client
    const again = () => {
      if (connection !== client || closed) return
      connection = undefined
      client.end().catch(() => {})
      setTimeout(() => void (closed || connection || listen()), reconnectMs).unref()
    }
    client.on('error', again).on('end', again)
    client.on('notification', ({ channel, payload }) => {
      const found = channels.find((each) => nameOf(each) === channel)
      if (found && payload !== self) tell(found)
    })
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${nameOf(channel)}`)
      // Something may have been announced while nobody heard.
      for (const channel of channels) tell(channel)
    } catch {
      again()
    }
  }

  return {
    announce(channel) {
      tell(channel)
      pending.add(channel)
      timer ??= setTimeout(notify, gatherMs).unref()
    },
    onAnnounced(channel, listener) {
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(listener))
      if (!connection) void listen()
      return () => void set.delete(listener)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await connection?.end().catch(() => {})
    },
  }
}
