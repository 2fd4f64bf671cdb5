/** What an agent's turn is about, the most telling first. */
export const topics = [
  'goodbye',
  'still_there',
  'booked',
  'transferring',
  'is_that_right',
  'offer',
  'will_call_back',
  'anything_else',
] as const
export type Topic = (typeof topics)[number]

/** English, Hindi in Latin letters, Hindi in Devanagari (without nukta). `\b` knows Latin letters only. */
const signs: Record<Topic, readonly RegExp[]> = {
  goodbye: [
    /\b(good ?bye|bye|have a (nice|good|great|lovely|wonderful) (day|evening|one)|take care|alvida|phir milenge)\b/u,
    /अलविदा|फिर मिलेंगे|शुभ दिन|दिन शुभ/u,
    // A greeting as well: a farewell only as a last sentence of its own.
    /([.!।]|धन्यवाद,|dhanyavaad,)\s*(namaste|namaskar|नमस्ते|नमस्कार)[\s.!।]*$/u,
  ],
  still_there: [
    /\b(are you (still )?(there|on the line|with me)|can you hear me)\b/u,
    /\b(sun (pa )?(rahe|rahi)|line (par|pe) hain)\b|सुन (पा )?(रहे|रही)|लाइन पर हैं/u,
  ],
  booked: [
    /(\b(is|are|am|have|has|been|got you)|'ve|'re) (now |just |all )?(booked|confirmed|scheduled)\b/u,
    /\bbook ho (gaya|gayi|gai|chuka|chuki)\b|बुक (हो गया|हो गई|हो गयी|कर दिया|कर दी)/u,
  ],
  transferring: [
    /(?<!(cannot|can't|not|unable to) )\b(connect|transfer|put|pass)(ing)? you\b/u,
    /\bbeing (connected|transferred|put through)\b|\b(hold|stay on) the line\b|\bplease hold\b/u,
    /\b(jod (raha|rahi)|transfer kar|baat karai)\b|जोड (रहा|रही)|ट्रांसफर कर|बात कराई|लाइन पर बने/u,
  ],
  is_that_right: [
    /\bis (that|this) (right|correct|ok|okay|fine)\b|\bdoes that (work|sound)\b|\b(right|correct)\?/u,
    /\b(sahi|theek|thik) hai( na)?\s*\?|(सही|ठीक) है( ना| न)?\s*\?/u,
  ],
  offer: [
    /\b(book|appointment|opening|slot|reserve|schedule)\b[^.!।]*\?/u,
    /\b(would you like|shall i|should i|can i|may i|do you want)\b[^.!।?]*\b(book|appointment|opening|slot|reserve|visit)/u,
    /(बुक|अपॉइंटमेंट|अपाइंटमेंट)[^.!।]*\?/u,
  ],
  will_call_back: [
    /\bcall(ing)? you (back|again|later)\b/u,
    /\b(phir|wapas|vapas|dobara)( se)? (call|phone)\b|(फिर|वापस|दोबारा)( से)? (कॉल|फोन)|(कॉल|फोन) (करें\?|किया जाएगा)/u,
  ],
  anything_else: [/\b(anything|something) else\b|\baur kuch\b|(और|अन्य) कुछ|कुछ और/u],
}
const notBooked =
  /\b(not|n't|cannot|never|already|fully)( been| be| yet| get)? (booked|confirmed|scheduled)|नहीं (हो|कर) (सका|सकी|पाया|पाई)/u

export function understand(words: string): ReadonlySet<Topic> {
  const text = words.normalize('NFC').replaceAll('\u093c', '').replaceAll('’', "'").toLowerCase()
  const found = topics.filter((topic) => signs[topic].some((sign) => sign.test(text)))
  return new Set(found.filter((topic) => topic !== 'booked' || !notBooked.test(text)))
}

const hindiWords = /\b(namaste|namaskar|aap|kya|hain|hai|nahi|nahin|kripya|dhanyavaad|shukriya|chahenge|chahte)\b/gu

/** Devanagari, a Hindi voice, or two words of Hindi in Latin letters: one may be a name. */
export function isHindi(words: string, language: string): boolean {
  if (/^(hi($|[-_])|hindi\b)/iu.test(language) || /\p{Script=Devanagari}/u.test(words)) return true
  return (words.toLowerCase().match(hindiWords) ?? []).length >= 2
}
