import pg from 'pg'
import { randomToken } from './secrets.ts'

// A NOTIFY inside a writing transaction makes commits wait for each other; after it, and gathered, it costs next to
// nothing. A person watching does not see a tenth of a second; a waiting delivery does.
const gatherMs = { deliveries: 15, events: 15, changes: 100 } as const
export type Channel = keyof typeof gatherMs
const channels = Object.keys(gatherMs) as Channel[]

/** `notes` say what it was about; none at all means that anything may have happened. */
export type Listener = (notes: readonly string[]) => void

/** A hint that something has changed. It may be lost: whoever listens also looks from time to time. */
export type Announcements = {
  announce(channel: Channel, note?: string): void
  /** Returns how to stop listening. */
  onAnnounced(channel: Channel, listener: Listener): () => void
  close(): Promise<void>
}

const reconnectMs = 1_000
// PostgreSQL takes 8,000 bytes.
const notesPerPayload = 100
const nameOf = (channel: Channel) => `parley_${channel}`

export function createAnnouncements(
  { url, applicationName }: { url: string; applicationName: string },
  query: (text: string, values: unknown[]) => Promise<unknown>,
): Announcements {
  const self = randomToken(8)
  const listeners = new Map<Channel, Set<Listener>>()
  const pending = new Map<Channel, { notes: Set<string>; timer: NodeJS.Timeout }>()
  let connection: pg.Client | undefined
  let closed = false

  const tell = (channel: Channel, notes: readonly string[]) => {
    for (const listener of listeners.get(channel) ?? []) listener(notes)
  }
  const notify = (channel: Channel) => {
    const notes = [...(pending.get(channel)?.notes ?? [])]
    pending.delete(channel)
    for (let from = 0; from === 0 || from < notes.length; from += notesPerPayload) {
      const payload = [self, ...notes.slice(from, from + notesPerPayload)].join(',')
      query('select pg_notify($1, $2)', [nameOf(channel), payload]).catch(() => {})
    }
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
    client.on('notification', ({ channel, payload = '' }) => {
      const found = channels.find((each) => nameOf(each) === channel)
      const [sender, ...notes] = payload.split(',')
      if (found && sender !== self) tell(found, notes)
    })
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${nameOf(channel)}`)
      // Something may have been announced while nobody heard.
      for (const channel of channels) tell(channel, [])
    } catch {
      again()
    }
  }

  return {
    announce(channel, note) {
      tell(channel, note === undefined ? [] : [note])
      let gathering = pending.get(channel)
      if (!gathering) {
        gathering = { notes: new Set(), timer: setTimeout(notify, gatherMs[channel], channel).unref() }
        pending.set(channel, gathering)
      }
      if (note !== undefined) gathering.notes.add(note)
    },
    onAnnounced(channel, listener) {
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(listener))
      if (!connection) void listen()
      return () => void set.delete(listener)
    },
    async close() {
      closed = true
      for (const { timer } of pending.values()) clearTimeout(timer)
      await connection?.end().catch(() => {})
    },
  }
}
