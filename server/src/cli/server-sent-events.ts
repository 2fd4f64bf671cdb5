export type ServerSentEvent = { id: string | null; event: string; data: string }

/** Reads a text/event-stream. Comments and unknown fields are passed over, as the standard says. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield toEvent(rest.slice(0, end))
      rest = rest.slice(end + 2)
    }
  }
}

function toEvent(block: string): ServerSentEvent {
  const event: ServerSentEvent = { id: null, event: 'message', data: '' }
  for (const line of block.split('\n')) {
    // Any character but the line's end, U+2028 included.
    const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
    if (name === 'id') event.id = value
    if (name === 'event') event.event = value
    if (name === 'data') event.data += event.data === '' ? value : `\n${value}`
  }
  return event
}
