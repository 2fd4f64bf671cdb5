import type { Heard, Utterance } from './ports.ts'
import type { ConversationParts } from './turn.ts'

/** Some machines have no tone: after so much quiet they are recording. */
const quietSeconds = 4
const longestAnnouncementSeconds = 60
const mostTries = 3
const stillSpeaking: Heard = { type: 'speech', text: '', startedAt: 0 }

/** Waits for the tone and leaves the message, when there is one to leave. */
export async function answerMachine(
  { link, voicemail, context, signal }: ConversationParts,
  note: (utterance: Utterance) => void,
  { beeped }: { beeped: boolean },
): Promise<void> {
  if (voicemail?.action !== 'leave_message' || !/\S/.test(voicemail.message)) return
  const givesUpAt = link.seconds() + longestAnnouncementSeconds
  let heard: Heard = beeped ? { type: 'beep' } : stillSpeaking
  for (let tries = 0; tries < mostTries; tries += 1) {
    while (heard.type === 'speech' && link.seconds() < givesUpAt) {
      heard = await link.listen({ silenceSeconds: quietSeconds }, signal)
      if (heard.type === 'speech') note({ speaker: 'user', text: heard.text, timestamp: heard.startedAt })
    }
    if (heard.type === 'gone' || signal.aborted) return
    const said = await link.say(voicemail.message, context.language, signal)
    if (said.heard !== '') note({ speaker: 'agent', text: said.heard, timestamp: said.startedAt })
    // Its tone or more of its announcement came over the message: only now, or later, does it record.
    if (!said.interrupted) return
    heard = stillSpeaking
  }
}
