import { type AudioFrame, type AudioLink, frameMs } from './audio.ts'
import { createBeepDetector } from './beep.ts'
import { createTurns } from './in-turn.ts'
import { hasWords } from './interruption.ts'
import { type Listener, listenerOf } from './listener.ts'
import { type Playback, startPlayback, wordsPlayed } from './playback.ts'
import type { Heard, Said, SpeechLink, SpeechToText, TextToSpeech, VoiceDetector } from './ports.ts'
import { createRecognition, RecognitionFailed } from './recognition.ts'
import { createDelayMeter, type TurnDelay } from './turn-delay.ts'
import { firstTurn, type TurnAction, type TurnInput, type TurnState, takeInput } from './turn-taking.ts'

export type SpeechParts = { stt: SpeechToText; tts: TextToSpeech; vad: VoiceDetector }
export type SpeechLinkOptions = SpeechParts & {
  audio: AudioLink
  /** Milliseconds that only go forward; for measuring, never for deciding. */
  nowMs: () => number
  onTurnDelay?: (delay: TurnDelay) => void
  /** Every frame of the line, for a recording. */
  onFrame?: (frame: AudioFrame) => void
}

type Saying = { playback: Playback; finish: () => void }

/** Speech made of sound: what turn taking decides is done here, to the line, the voice and the recogniser. */
export function createSpeechLink({ audio, stt, tts, vad, nowMs, ...told }: SpeechLinkOptions): SpeechLink {
  const inTurn = createTurns()
  const beeps = createBeepDetector()
  const meter = createDelayMeter(nowMs, (delay) => told.onTurnDelay?.(delay))
  const over = new AbortController()
  let state: TurnState = firstTurn
  let elapsedMs = 0
  let saying: Saying | null = null
  let listener: Listener | null = null
  /** What happened while nobody listened. */
  const unheard: Heard[] = []
  let deaf: RecognitionFailed | null = null

  const recognition = createRecognition({
    stt,
    language: () => state.language,
    onWords: (stretch, { text, final }) => input({ type: 'words', stretch, text, final }),
    onFailure: (error) => {
      deaf = error
      listener?.fail(error)
    },
    signal: over.signal,
  })

  const input = (given: TurnInput) => {
    const [next, actions] = takeInput(state, given)
    state = next
    for (const action of actions) act(action)
  }
  const act = (action: TurnAction) => {
    if (action.type === 'open') recognition.open(action.stretch)
    if (action.type === 'close') recognition.close(action.stretch)
    if (action.type === 'halt') saying?.playback.halt()
    if (action.type === 'resume') saying?.playback.resume()
    if (action.type === 'yield') saying?.finish()
    if (action.type === 'turn') {
      const { text, startedMs, endedMs, pauseMs } = action
      meter.heard({ agoMs: elapsedMs - endedMs, pauseMs })
      tell({ type: 'speech', text, startedAt: startedMs / 1_000 })
    }
  }
  const tell = (heard: Heard) => {
    if (!listener) unheard.push(heard)
    listener?.done(heard)
    listener = null
  }

  const hearFrame = (frame: AudioFrame, isVoice: (frame: Int16Array) => boolean) => {
    elapsedMs += frameMs
    told.onFrame?.(frame)
    const { tone, beep } = beeps.hear(frame.heard)
    // The detector hears every frame, also those whose answer is not needed: it learns from them.
    const voiced = isVoice(frame.heard) && !tone
    recognition.hear(frame.heard)
    input({ type: 'frame', voiced, agentLeftMs: saying?.playback.leftMs() ?? 0 })
    if (beep) {
      input({ type: 'tone' })
      tell({ type: 'beep' })
      saying?.finish()
    }
    saying?.playback.pump()
    if (saying?.playback.isOver()) saying.finish()
    const busy = state.awaited.length > 0 || state.said.length > 0 || state.keys !== null
    if (!busy) listener?.passed(elapsedMs)
  }

  const followFrames = async () => {
    const activity = vad.open()
    try {
      for await (const frame of audio.frames) hearFrame(frame, (heard) => activity.isVoice(heard))
    } finally {
      activity.close()
      over.abort()
      saying?.finish()
      listener?.done({ type: 'gone' })
    }
  }
  const followKeys = async () => {
    for await (const key of audio.digits) input({ type: 'key', key })
  }
  // A line that breaks has gone; whoever speaks or listens learns it by that.
  void followFrames().catch(() => {})
  void followKeys().catch(() => {})

  const say = async (text: string, language: string, signal: AbortSignal): Promise<Said> => {
    const startedAt = elapsedMs / 1_000
    const nothing = { heard: '', startedAt }
    // The callee took the floor before the agent began: those words come first.
    if (over.signal.aborted || signal.aborted || !hasWords(text) || unheard.length > 0) return nothing
    meter.say()
    const speaking = new AbortController()
    input({ type: 'speak', language })
    const wanted = AbortSignal.any([speaking.signal, over.signal])
    // Begun by whoever reads it: a voice that refuses at once fails like one that fails later.
    const voice = async function* () {
      yield* tts.say(text, { language, speaker: 'agent' }, wanted)
    }
    const playback = startPlayback(audio, voice(), meter.firstSound)
    await new Promise<void>((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', finish)
        saying = null
        playback.stop()
        speaking.abort()
        resolve()
      }
      saying = { playback, finish }
      signal.addEventListener('abort', finish, { once: true })
    })
    input({ type: 'spoken' })
    if (playback.failure() && playback.playedMs() === 0 && !over.signal.aborted && !signal.aborted)
      throw playback.failure()
    const part = { playedMs: playback.playedMs(), wholeMs: playback.wholeMs(), knownMs: playback.knownMs() }
    return { heard: wordsPlayed(text, part), startedAt }
  }

  const listen = (silenceSeconds: number, signal: AbortSignal): Promise<Heard> => {
    if (over.signal.aborted || signal.aborted) return Promise.resolve({ type: 'gone' })
    if (deaf) return Promise.reject(deaf)
    if (!stt.understands(state.language))
      return Promise.reject(new RecognitionFailed(`Nothing here understands the language "${state.language}".`))
    const known = unheard.shift()
    if (known) return Promise.resolve(known)
    const waiting = listenerOf(elapsedMs + silenceSeconds * 1_000, signal)
    listener = waiting.listener
    return waiting.heard.finally(() => {
      listener = null
    })
  }

  return {
    say: (text, language, signal) => inTurn(() => say(text, language, signal)),
    listen: ({ silenceSeconds }, signal) =>
      inTurn(async () => {
        const heard = await listen(silenceSeconds, signal)
        if (heard.type !== 'speech') meter.forget()
        return heard
      }),
    seconds: () => elapsedMs / 1_000,
  }
}
