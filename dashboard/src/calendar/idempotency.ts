import { useRef } from 'react'
import { randomKey } from '../content-key.ts'

/** The same body keeps its key, so that pressing twice books once; another body is another request. */
export function useIdempotencyKey(): (body: unknown) => Record<string, string> {
  const last = useRef({ text: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (text !== last.current.text) last.current = { text, key: randomKey() }
    return { 'idempotency-key': last.current.key }
  }
}
