import { LlmFailed } from './llm-failed.ts'

const longestEvent = 100_000

/** The data of each server-sent event. What follows the last blank line is no event: the stream was cut there. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const parser = createEventParser()
  for await (const text of readText(body)) yield* parser.push(text)
}

/** Text as it comes, with characters whole however the bytes were cut. */
export async function* readText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) yield decoder.decode(bytes, { stream: true })
  } catch {
    throw new LlmFailed('cut')
  }
}

/** Server-sent events as WHATWG has them: lines end with LF, CRLF or CR; of the fields only `data` matters here. */
export function createEventParser(): { push(text: string): string[] } {
  let unread = ''
  let data: string[] = []
  let size = 0

  const readLine = (line: string): string | undefined => {
    if (line === '') {
      const event = data.length > 0 ? data.join('\n') : undefined
      data = []
      size = 0
      return event
    }
    // A comment starts with the colon, so its field has no name.
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    if (field === 'data') {
      const value = colon === -1 ? '' : line.slice(colon + 1)
      data.push(value.startsWith(' ') ? value.slice(1) : value)
      size += line.length
    }
    return undefined
  }

  return {
    push: (text) => {
      unread += text
      // A CR at the very end may be half of a CRLF: it waits for what follows.
      const lines = unread.split(/\r\n|\n|\r(?!$)/)
      unread = lines.pop() ?? ''
      const events = lines.map(readLine).filter((event) => event !== undefined)
      if (size + unread.length > longestEvent) throw new LlmFailed('malformed')
      return events
    },
  }
}
