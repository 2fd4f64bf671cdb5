import { toMuLaw } from '../../src/voice/mu-law.ts'
import { startSpeechService, toneFor } from './service.ts'

/** The stream-input socket of ElevenLabs: text in pieces, an empty one ends it; base64 sound out, isFinal last. */
export const startElevenLabs = () =>
  startSpeechService({
    isAuthorised: (headers, key) => headers['xi-api-key'] === key,
    socket: (socket, mood, messages) => {
      let text = ''
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { text: string }
        messages.push(message)
        text += message.text
        if (message.text !== '' || mood === 'hangs') return
        if (mood === 'babbles') return socket.send('{"audio":')
        const sound = Buffer.from(toMuLaw(toneFor(text.trim(), 8_000)))
        for (let at = 0; at < sound.length; at += 2_000) {
          socket.send(JSON.stringify({ audio: sound.subarray(at, at + 2_000).toString('base64'), isFinal: null }))
          if (mood === 'breaks off') return socket.terminate()
        }
        socket.send(JSON.stringify({ audio: null, isFinal: true }))
        socket.close()
      })
    },
  })
