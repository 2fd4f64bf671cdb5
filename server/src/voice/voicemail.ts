import type { Heard, Utterance } from './ports.ts'
import type { ConversationParts } from './turn.ts'

/** `leave_message`: the message is spoken after the tone; then, as always, the agent hangs up. */
export type VoicemailPlan = { action: 'hang_up' } | { action: 'leave_message'; message: string }

const announcements = [
  /\bvoice ?mail\b/i,
  /\bleave (me |us )?(a|your) (brief |short )?(message|name)/i,
  /\b(after|at) the (tone|beep)\b/i,
  /\b(cannot|can't|unable to) (take|answer|come to) (your call|the phone)/i,
  /\bnot available (to take your call|right now).*(message|tone)/i,
  /(बीप|टोन) के बाद/,
  /\bbeep ke baad\b/i,
  /(संदेश|मैसेज) छोड़/,
  /(బీప్|టోన్) తర్వాత|సందేశాన్ని వదల/,
  /(பீப்|டோன்)\S* (பிறகு|பின்)|செய்தியை விட/,
  /\b(buz[oó]n de voz|contestador)\b/i,
  /\b(despu[eé]s|tras) (de(l)? )?(el |la )?(tono|señal|pitido)/i,
  /\b(deje|deja) (su|tu|un) (mensaje|recado)/i,
]

/** Decided on the phrase, as a person would (voice.md: the greeting's length is only a hint). */
export const soundsLikeVoicemail = (text: string): boolean => announcements.some((phrase) => phrase.test(text))

/** Some machines have no tone: after so much quiet they are recording. */
const quietSeconds = 4
const longestAnnouncementSeconds = 60

/** Waits for the tone and leaves the message, when there is one to leave. */
export async function answerMachine(
  { link, voicemail, context, signal }: ConversationParts,
  note: (utterance: Utterance) => void,
  { beeped }: { beeped: boolean },
): Promise<void> {
  if (voicemail?.action !== 'leave_message' || !/\S/.test(voicemail.message)) return
  const givesUpAt = link.seconds() + longestAnnouncementSeconds
  let heard: Heard = beeped ? { type: 'beep' } : { type: 'speech', text: '', startedAt: 0 }
  while (heard.type === 'speech' && link.seconds() < givesUpAt) {
    heard = await link.listen({ silenceSeconds: quietSeconds }, signal)
    if (heard.type === 'speech') note({ speaker: 'user', text: heard.text, timestamp: heard.startedAt })
  }
  if (heard.type === 'gone' || signal.aborted) return
  const said = await link.say(voicemail.message, context.language, signal)
  if (said.heard !== '') note({ speaker: 'agent', text: said.heard, timestamp: said.startedAt })
}
