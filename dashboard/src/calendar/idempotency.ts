import { useRef } from 'react'

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The same body keeps its key, so that pressing twice books once; another body is another request. */
export function useIdempotencyKey(): (body: unknown) => Record<string, string> {
  const last = useRef({ text: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (text !== last.current.text) last.current = { text, key: hex(crypto.getRandomValues(new Uint8Array(16))) }
    return { 'idempotency-key': last.current.key }
  }
}
