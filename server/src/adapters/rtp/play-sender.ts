import type { PlayBatch } from './messages.ts'

/** Gathers what the lines write in one turn of the loop and hands it over in one piece. */
export function createPlaySender(post: (batch: PlayBatch) => void): (line: number, pcm: Int16Array) => void {
  let pending: { line: number; pcm: Int16Array }[] = []

  function send(): void {
    const batch = pending
    pending = []
    const samples = new Int16Array(batch.reduce((sum, { pcm }) => sum + pcm.length, 0))
    const lines = new Int32Array(2 * batch.length)
    let at = 0
    for (const [index, { line, pcm }] of batch.entries()) {
      lines[2 * index] = line
      lines[2 * index + 1] = pcm.length
      samples.set(pcm, at)
      at += pcm.length
    }
    post({ lines, samples })
  }

  return (line, pcm) => {
    if (pending.length === 0) setImmediate(send)
    // The writer may use its array again at once.
    pending.push({ line, pcm: pcm.slice() })
  }
}
