import { answerMachine } from './answer-machine.ts'
import type { Ending, HistoryItem, ToolUse, Utterance } from './ports.ts'
import { BrainFailed, type ConversationParts, takeTurn } from './turn.ts'
import { soundsLikeVoicemail } from './voicemail.ts'

const earlyUtterances = 3

export type ConversationResult = { ending: Ending; transcript: Utterance[]; toolUses: ToolUse[] }

/** Turn by turn: the brain speaks and acts, the callee answers, until one of them ends it. Throws BrainFailed. */
export async function converse(parts: ConversationParts): Promise<ConversationResult> {
  try {
    return await takeTurns(parts)
  } catch (error) {
    // An agent that has lost its voice or its ears can no more go on than one that has lost its mind.
    throw error instanceof BrainFailed ? error : new BrainFailed('It could not speak or hear.', { cause: error })
  }
}

async function takeTurns(parts: ConversationParts): Promise<ConversationResult> {
  const { link, limits, signal } = parts
  const history: HistoryItem[] = []
  const transcript: Utterance[] = []
  const toolUses: ToolUse[] = []
  const note = (utterance: Utterance) => {
    transcript.push(utterance)
    parts.onUtterance(utterance)
  }
  const ended = (ending: Ending): ConversationResult => ({ ending, transcript, toolUses })
  const endWithMachine = async (beeped: boolean) => {
    await answerMachine(parts, note, { beeped })
    return ended('voicemail')
  }

  while (!signal.aborted) {
    const ending = await takeTurn(parts, history, note, toolUses)
    if (ending) return ended(ending)
    if (link.seconds() >= limits.maxSeconds) return ended('time_limit')

    const heard = await link.listen({ silenceSeconds: limits.silenceSeconds }, signal)
    if (heard.type === 'gone') break
    // A machine answers at once or never: later, a tone is just a tone and "leave a message" a person talking.
    const early = parts.voicemail?.action !== 'ignore' && transcript.length <= earlyUtterances
    if (heard.type === 'beep') {
      if (early) return endWithMachine(true)
      continue
    }
    if (heard.type === 'silence') {
      history.push({ role: 'silence' })
      continue
    }
    history.push({ role: 'user', text: heard.text })
    note({ speaker: 'user', text: heard.text, timestamp: heard.startedAt })
    if (early && soundsLikeVoicemail(heard.text)) return endWithMachine(false)
  }
  return ended('hung_up_by_callee')
}
