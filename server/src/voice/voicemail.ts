const announcements = [
  /\bvoice ?mail\b/i,
  /\bleave (me |us )?(a|your) (brief |short )?(message|name)/i,
  /\b(after|at) the (tone|beep)\b/i,
  /\b(cannot|can't|unable to) (take|answer|come to) (your call|the phone)/i,
  /\bnot available (to take your call|right now).*(message|tone)/i,
  /(बीप|टोन) के बाद/,
  /\bbeep ke baad\b/i,
]

/** Decided on the phrase, as a person would (voice.md: the greeting's length is only a hint). */
export const soundsLikeVoicemail = (text: string): boolean => announcements.some((phrase) => phrase.test(text))
