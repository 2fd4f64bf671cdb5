export type StreamMessage =
  | { event: 'start'; streamSid: string; callSid: string; accountSid: string; token: string }
  | { event: 'media'; payload: string }
  | { event: 'dtmf'; digit: string }
  | { event: 'mark'; name: string }
  | { event: 'stop' | 'other' }

type Raw = Record<string, Record<string, unknown> | undefined> & { event?: unknown }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a media stream says. Anything that is not understood is passed over. */
export function readMessage(text: string): StreamMessage {
  let raw: Raw
  try {
    raw = JSON.parse(text) as Raw
  } catch {
    return { event: 'other' }
  }
  if (typeof raw !== 'object' || raw === null) return { event: 'other' }
  switch (raw.event as unknown) {
    case 'start': {
      const start = raw.start ?? {}
      const parameters = (start.customParameters ?? {}) as Record<string, unknown>
      return {
        event: 'start',
        streamSid: textOf(start.streamSid),
        callSid: textOf(start.callSid),
        accountSid: textOf(start.accountSid),
        token: textOf(parameters.leg),
      }
    }
    case 'media':
      return { event: 'media', payload: textOf(raw.media?.payload) }
    case 'dtmf':
      return { event: 'dtmf', digit: textOf(raw.dtmf?.digit) }
    case 'mark':
      return { event: 'mark', name: textOf(raw.mark?.name) }
    case 'stop':
      return { event: 'stop' }
    default:
      return { event: 'other' }
  }
}
