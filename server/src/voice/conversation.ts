import type { Ending, HistoryItem, ToolUse, Utterance } from './ports.ts'
import { type ConversationParts, takeTurn } from './turn.ts'
import { soundsLikeVoicemail } from './voicemail.ts'

export type ConversationResult = { ending: Ending; transcript: Utterance[]; toolUses: ToolUse[] }

/** Turn by turn: the brain speaks and acts, the callee answers, until one of them ends it. Throws BrainFailed. */
export async function converse(parts: ConversationParts): Promise<ConversationResult> {
  const { link, limits, signal } = parts
  const history: HistoryItem[] = []
  const transcript: Utterance[] = []
  const toolUses: ToolUse[] = []
  const note = (utterance: Utterance) => {
    transcript.push(utterance)
    parts.onUtterance(utterance)
  }
  const ended = (ending: Ending): ConversationResult => ({ ending, transcript, toolUses })

  while (!signal.aborted) {
    const ending = await takeTurn(parts, history, note, toolUses)
    if (ending) return ended(ending)
    if (link.seconds() >= limits.maxSeconds) return ended('time_limit')

    const heard = await link.listen({ silenceSeconds: limits.silenceSeconds }, signal)
    if (heard.type === 'gone') break
    if (heard.type === 'beep') return ended('voicemail')
    if (heard.type === 'silence') {
      history.push({ role: 'silence' })
      continue
    }
    history.push({ role: 'user', text: heard.text })
    note({ speaker: 'user', text: heard.text, timestamp: heard.startedAt })
    // A machine answers at once or never: later, "leave a message" is a person talking.
    if (transcript.length <= 4 && soundsLikeVoicemail(heard.text)) return ended('voicemail')
  }
  return ended('hung_up_by_callee')
}
