import { samplesIn, startSpeechService, toneFor, understood } from './service.ts'

/** `/audio/transcriptions` and `/audio/speech` as OpenAI documents them. */
export const startOpenAiSpeech = (answersWith: 'pcm' | 'wav' = 'pcm') =>
  startSpeechService({
    isAuthorised: (headers, key) => headers.authorization === `Bearer ${key}`,
    http: (body, path, response, mood) => {
      if (mood === 'babbles') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      if (path.endsWith('/audio/transcriptions')) {
        const wav = body.subarray(body.indexOf('RIFF'))
        const text = understood(samplesIn(wav.subarray(44, 44 + wav.readUInt32LE(40))))
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }))
      }
      const { input } = JSON.parse(body.toString()) as { input: string }
      const tone = toneFor(input, 24_000)
      const pcm = Buffer.from(tone.buffer)
      const header = Buffer.alloc(44)
      header.write('RIFF\0\0\0\0WAVEfmt ', 'latin1')
      header.writeUInt32LE(16, 16)
      for (const [at, value] of [
        [20, 1],
        [22, 1],
        [32, 2],
        [34, 16],
      ] as const)
        header.writeUInt16LE(value, at)
      header.writeUInt32LE(24_000, 24)
      header.write('data', 36, 'latin1')
      header.writeUInt32LE(pcm.length, 40)
      response.writeHead(200, { 'content-type': `audio/${answersWith}` })
      const content = answersWith === 'wav' ? Buffer.concat([header, pcm]) : pcm
      // In pieces that split samples.
      for (let at = 0; at < content.length; at += 9_999) response.write(content.subarray(at, at + 9_999))
      if (mood === 'breaks off') setTimeout(() => response.destroy(), 20)
      else response.end()
    },
  })
