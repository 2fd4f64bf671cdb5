import { type AudioFrame, type AudioLink, frameMs } from './audio.ts'
import { createBeepDetector } from './beep.ts'
import { createTurns } from './in-turn.ts'
import { hasWords } from './interruption.ts'
import { createListening } from './listening.ts'
import { createMouth } from './mouth.ts'
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

/** Speech made of sound, one saying or listening at a time. */
export function createSpeechLink(options: SpeechLinkOptions): SpeechLink {
  const { stt } = options
  const inTurn = createTurns()
  const line = openLine(options)
  const { meter, mouth, listening } = line

  const say = async (text: string, language: string, signal: AbortSignal): Promise<Said> => {
    const startedAt = line.seconds()
    if (line.isGone() || signal.aborted || !hasWords(text)) return { heard: '', startedAt }
    // The callee took the floor before the agent began: those words come first.
    if (listening.hasUnheard()) return { heard: '', startedAt, interrupted: true }
    meter.say()
    line.input({ type: 'speak', language })
    try {
      return { ...(await mouth.say(text, language, signal)), startedAt }
    } finally {
      line.input({ type: 'spoken' })
    }
  }
  const listen = async (silenceSeconds: number, signal: AbortSignal): Promise<Heard> => {
    if (line.isGone() || signal.aborted) return { type: 'gone' }
    const language = line.language()
    if (!stt.understands(language)) throw new RecognitionFailed(`Nothing here understands the language "${language}".`)
    const heard = await listening.listen((line.seconds() + silenceSeconds) * 1_000, signal)
    // Only somebody who has spoken waits for an answer.
    if (heard.type !== 'speech') meter.forget()
    return heard
  }

  return {
    say: (text, language, signal) => inTurn(() => say(text, language, signal)),
    listen: ({ silenceSeconds }, signal) => inTurn(() => listen(silenceSeconds, signal)),
    seconds: line.seconds,
  }
}

/** Follows the line frame by frame; what turn taking decides is done to the agent's mouth, the recogniser and the listener. */
function openLine({ audio, stt, tts, vad, nowMs, onTurnDelay, onFrame }: SpeechLinkOptions) {
  const over = new AbortController()
  const meter = createDelayMeter(nowMs, (delay) => onTurnDelay?.(delay))
  const listening = createListening()
  const mouth = createMouth({ audio, tts, onFirstSound: meter.firstSound, line: over.signal })
  const beeps = createBeepDetector()
  let state: TurnState = firstTurn
  let elapsedMs = 0

  const recognition = createRecognition({
    stt,
    language: () => state.language,
    onWords: (stretch, { text, final }) => input({ type: 'words', stretch, text, final }),
    onFailure: listening.fail,
    signal: over.signal,
  })
  const act = (action: TurnAction) => {
    if (action.type === 'open') recognition.open(action.stretch)
    if (action.type === 'close') recognition.close(action.stretch)
    if (action.type === 'halt') mouth.halt()
    if (action.type === 'resume') mouth.resume()
    if (action.type === 'yield') mouth.interrupt()
    if (action.type !== 'turn') return
    meter.heard({ agoMs: elapsedMs - action.endedMs, pauseMs: action.pauseMs })
    listening.tell({ type: 'speech', text: action.text, startedAt: action.startedMs / 1_000 })
  }
  const input = (given: TurnInput) => {
    const [next, actions] = takeInput(state, given)
    state = next
    for (const action of actions) act(action)
  }
  const hearFrame = (frame: AudioFrame, isVoice: boolean) => {
    elapsedMs += frameMs
    onFrame?.(frame)
    const { tone, beep } = beeps.hear(frame.heard)
    recognition.hear(frame.heard)
    input({ type: 'frame', voiced: isVoice && !tone, agentLeftMs: mouth.leftMs() })
    if (beep) {
      input({ type: 'tone' })
      listening.tell({ type: 'beep' })
      mouth.interrupt()
    }
    mouth.tick()
    const busy = state.awaited.length > 0 || state.said.length > 0 || state.keys !== null
    if (!busy) listening.passed(elapsedMs)
  }
  const followFrames = async () => {
    const activity = vad.open()
    try {
      for await (const frame of audio.frames) hearFrame(frame, activity.isVoice(frame.heard))
    } finally {
      activity.close()
      over.abort()
      mouth.close()
      listening.gone()
    }
  }
  const followKeys = async () => {
    for await (const key of audio.digits) input({ type: 'key', key })
  }
  // A line that breaks has gone; whoever speaks or listens learns it by that.
  void followFrames().catch(() => {})
  void followKeys().catch(() => {})

  return {
    meter,
    mouth,
    listening,
    input,
    language: () => state.language,
    isGone: () => over.signal.aborted,
    seconds: () => elapsedMs / 1_000,
  }
}
