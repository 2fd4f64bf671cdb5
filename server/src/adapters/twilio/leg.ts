import type { WebSocket } from 'ws'
import type { CallLeg, DialRequest, LegEnd, LegEvent } from '../../voice/ports.ts'
import { createSpeechLink, type SpeechLinkOptions, type SpeechParts } from '../../voice/speech-link.ts'
import { createEventLog } from '../simulator/event-log.ts'
import { endCall, type TwilioAccount } from './api.ts'
import { createMediaStream } from './media-stream.ts'
import { newsIn } from './status.ts'
import { readMessage } from './stream-message.ts'

export type LegWatch = Pick<SpeechLinkOptions, 'onFrame' | 'onTurnDelay'>
type LegOptions = {
  account: TwilioAccount
  request: DialRequest
  parts: SpeechParts
  nowMs: () => number
  watch: LegWatch
  onEnd: () => void
}
export type TwilioLeg = ReturnType<typeof openLeg>

/** Twilio counts seconds of ringing its own way; so much later we end it ourselves. */
const ringGraceMs = 10_000
const streamPatienceMs = 10_000
/** After the stream has ended, its reason follows as a status. */
const reasonPatienceMs = 3_000

/** One call at Twilio: REST asked for it, statuses tell of it, a websocket carries its sound. */
export function openLeg({ account, request, parts, nowMs, watch, onEnd }: LegOptions) {
  const log = createEventLog<LegEvent>()
  const stream = createMediaStream()
  const speech = createSpeechLink({ ...parts, ...watch, audio: stream.audio, nowMs })
  let callSid: string | null = null
  let socket: WebSocket | null = null
  let rang = false
  let answered = false
  let hangingUp: Promise<void> | null = null
  let ended = false
  let patience: NodeJS.Timeout | undefined

  const end = (how: LegEnd) => {
    if (ended) return
    ended = true
    clearTimeout(patience)
    stream.end()
    log.add({ type: 'ended', end: how })
    log.close()
    socket?.close()
    onEnd()
  }
  /** When nothing else happens until then, that is what happened. */
  const unless = (ms: number, how: LegEnd) => {
    clearTimeout(patience)
    patience = setTimeout(() => {
      if (callSid) void endCall(account, callSid)
      end(how)
    }, ms)
  }
  const hangup = (): Promise<void> => {
    hangingUp ??= (async () => {
      if (!ended && callSid) await endCall(account, callSid)
      end({ reason: 'hangup', by: 'agent' })
    })()
    return hangingUp
  }
  const answer = (given: WebSocket, streamSid: string) => {
    clearTimeout(patience)
    socket = given
    answered = true
    stream.start(streamSid, (message) => given.send(JSON.stringify(message)))
    log.add({ type: 'answered' })
  }

  const leg: CallLeg = { events: log.events, speech, hangup }
  return {
    ...leg,
    /** Twilio has taken the call on, under this name. */
    taken: (sid: string) => {
      callSid = sid
      if (!ended && !answered) unless(request.ringSeconds * 1_000 + ringGraceMs, { reason: 'no_answer', by: 'callee' })
    },
    /** Twilio did not take it on. */
    never: () => end({ reason: 'carrier_error', by: 'carrier' }),
    status: (form: URLSearchParams) => {
      callSid ??= form.get('CallSid')
      const news = newsIn(form, { answered, hungUp: hangingUp !== null })
      if (news.type === 'ringing' && !rang && !answered && !ended) {
        rang = true
        log.add({ type: 'ringing' })
      }
      if (news.type === 'in_progress' && !answered && !ended)
        unless(streamPatienceMs, { reason: 'line_dropped', by: 'carrier' })
      if (news.type === 'ended') end(news.end)
    },
    /** False when this call has its stream already, or is over. */
    connect: (given: WebSocket, sid: string, streamSid: string): boolean => {
      if (ended || answered || hangingUp || (callSid !== null && callSid !== sid)) return false
      callSid = sid
      answer(given, streamSid)
      let stopped = false
      given.on('message', (data) => {
        const message = readMessage(String(data))
        if (message.event === 'media') stream.hear(message.payload)
        if (message.event === 'dtmf') stream.press(message.digit)
        if (message.event === 'mark') stream.marked(message.name)
        if (message.event === 'stop') stopped = true
      })
      given.on('close', () => {
        if (ended) return
        stream.end()
        unless(
          reasonPatienceMs,
          stopped ? { reason: 'hangup', by: 'callee' } : { reason: 'line_dropped', by: 'carrier' },
        )
      })
      return true
    },
  }
}
