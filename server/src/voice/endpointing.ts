/** How long a callee pauses before it is the agent's turn. */
export const endpointMs = 560
export const dictationEndpointMs = 3_000
/** Whoever has spoken for so long without a pause is answered all the same. */
export const longestTurnMs = 60_000

const numberWord =
  /^(\d+|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple|plus|shunya|ek|do|teen|char|paanch|chhe|saat|aath|nau|शून्य|एक|दो|तीन|चार|पांच|पाँच|छह|सात|आठ|नौ|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)$/u
const addressWord = /^(at|dot|dash|underscore|hyphen|arroba|punto|@)$/u
const announcement =
  /\b(my|the)?\s*(phone |mobile )?(number|e-?mail|email address|pin ?code|zip ?code)( address)? is[\s:,]*$/iu
/** A whole telephone number, and a whole address: nobody goes on after these. */
const wholeNumberDigits = 10
const wholeAddress = /(@| at )\S.*(\.| dot )\s?(com|in|org|net|edu|co|io|es|gov)\W*$/iu

/** Somebody is giving a number, spelling a name or an e-mail address, and has not come to its end. */
export function isDictating(text: string): boolean {
  if (announcement.test(text)) return true
  const spoken = text.toLowerCase().replace(/[.,!?;:]+(\s|$)/g, ' ')
  if (wholeAddress.test(spoken.trim())) return false
  const words = spoken.split(/[\s-]+/).filter((word) => word !== '')
  if (addressWord.test(words.at(-1) ?? '') && words.length > 1) return true
  let signs = 0
  let digits = 0
  for (const word of words.toReversed()) {
    const isSign = numberWord.test(word) || /^\p{L}$/u.test(word)
    if (!isSign && !addressWord.test(word)) break
    signs += isSign ? 1 : 0
    digits += /^\d+$/.test(word) ? word.length : 0
  }
  // A time ("at 10 30"), a choice ("two") or a year is no dictation.
  const longNumber = /^\d{3,}$/.test(words.at(-1) ?? '') && !/^(19|20)\d\d$/.test(words.at(-1) ?? '')
  return (signs >= 3 || longNumber) && Math.max(signs, digits) < wholeNumberDigits
}

export const pauseNeededMs = (text: string): number => (isDictating(text) ? dictationEndpointMs : endpointMs)
