/**
 * `leave_message`: the message is spoken after the tone; then, as always, the agent hangs up. `ignore`: nobody looks for a
 * machine, since somebody called us.
 */
export type VoicemailPlan = { action: 'hang_up' } | { action: 'ignore' } | { action: 'leave_message'; message: string }

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
