import type { WebSocket } from 'ws'
import { createLegSound } from '../../voice/leg-sound.ts'
import type { CallLeg, DialRequest, LegEnd } from '../../voice/ports.ts'
import type { SpeechParts } from '../../voice/speech-link.ts'
import { endCall, type TwilioAccount } from './api.ts'
import { createLife } from './life.ts'
import { createMediaStream, type MediaStream } from './media-stream.ts'
import { newsIn } from './status.ts'
import { readMessage } from './stream-message.ts'

type LegOptions = {
  account: TwilioAccount
  request: DialRequest
  parts: SpeechParts
  nowMs: () => number
  onEnd: () => void
}
export type TwilioLeg = ReturnType<typeof openLeg>

/** Twilio counts seconds of ringing its own way; so much later we end it ourselves. */
const ringGraceMs = 10_000
const streamPatienceMs = 10_000
/** After the stream has ended, its reason follows as a status. */
const reasonPatienceMs = 3_000

/** One call at Twilio: REST asked for it, statuses tell of it, a websocket carries its sound. */
export function openLeg({ account, request, parts, nowMs, onEnd }: LegOptions) {
  const stream = createMediaStream()
  const sound = createLegSound({ parts, audio: stream.audio, nowMs })
  const life = createLife(() => {
    stream.end()
    socket?.close()
    onEnd()
  })
  let callSid: string | null = null
  let socket: WebSocket | null = null
  let hangingUp: Promise<void> | null = null

  /** When nothing else happens until then, that is what happened. */
  const unless = (ms: number, how: LegEnd) =>
    life.wait(ms, () => {
      if (callSid) void endCall(account, callSid)
      life.end(how)
    })
  const hangup = (): Promise<void> => {
    hangingUp ??= (async () => {
      if (!life.isOver() && callSid) await endCall(account, callSid)
      life.end({ reason: 'hangup', by: 'agent' })
    })()
    return hangingUp
  }
  const leg: CallLeg = { events: life.events, ...sound, hangup }
  return {
    ...leg,
    /** Twilio has taken the call on, under this name. */
    taken: (sid: string) => {
      callSid = sid
      // Hung up before it had a name.
      if (life.isOver()) void endCall(account, sid)
      else if (!life.isAnswered())
        unless(request.ringSeconds * 1_000 + ringGraceMs, { reason: 'no_answer', by: 'callee' })
    },
    /** Twilio did not take it on. */
    never: () => life.end({ reason: 'carrier_error', by: 'carrier' }),
    status: (form: URLSearchParams) => {
      callSid ??= form.get('CallSid')
      const news = newsIn(form, { answered: life.isAnswered(), hungUp: hangingUp !== null })
      if (news.type === 'ringing') life.ring()
      if (news.type === 'in_progress' && !life.isAnswered())
        unless(streamPatienceMs, { reason: 'line_dropped', by: 'carrier' })
      if (news.type === 'ended') life.end(news.end)
    },
    /** False when this call has its stream already, or is over. */
    connect: (given: WebSocket, sid: string, streamSid: string): boolean => {
      if (hangingUp || (callSid !== null && callSid !== sid) || !life.answer()) return false
      callSid = sid
      socket = given
      stream.start(streamSid, (message) => given.send(JSON.stringify(message)))
      followSocket(given, stream, (stopped) => {
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

function followSocket(socket: WebSocket, stream: MediaStream, onClose: (stopped: boolean) => void): void {
  let stopped = false
  socket.on('message', (data) => {
    const message = readMessage(String(data))
    if (message.event === 'stop') stopped = true
    else stream.take(message)
  })
  socket.on('close', () => onClose(stopped))
}
