import { samplesIn, startSpeechService, understood } from './service.ts'

/** The live socket of Deepgram: binary sound in, interim and final results out, CloseStream answered by Metadata. */
export const startDeepgram = () =>
  startSpeechService({
    isAuthorised: (headers, key) => headers.authorization === `Token ${key}`,
    socket: (socket, mood, messages) => {
      let heard: number[] = []
      const result = (text: string, final: boolean) =>
        socket.send(
          JSON.stringify({ type: 'Results', is_final: final, channel: { alternatives: [{ transcript: text }] } }),
        )
      socket.on('message', (data, isBinary) => {
        if (mood === 'hangs') return
        if (mood === 'babbles') return socket.send('<html>')
        if (isBinary) {
          heard.push(...samplesIn(data as Buffer))
          if (mood === 'breaks off' && heard.length > 3_000) return socket.terminate()
          return result(understood(Int16Array.from(heard)).split(' ')[0] ?? '', false)
        }
        const message = JSON.parse(String(data)) as { type: string }
        messages.push(message)
        if (message.type !== 'CloseStream') return
        // Two finals, as after a pause, and silence between them.
        const words = understood(Int16Array.from(heard)).split(' ')
        heard = []
        result(words.slice(0, 1).join(' '), true)
        result('', true)
        result(words.slice(1).join(' '), true)
        socket.send(JSON.stringify({ type: 'Metadata', request_id: 'x' }))
        socket.close()
      })
    },
  })
