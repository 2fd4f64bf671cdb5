import { plain } from './plain.ts'

/** Hindi time words, romanised and in Devanagari, as the English words the time parser reads. */
const words: Record<string, string> = {
  today: 'aaj aj आज',
  tomorrow: 'kal कल',
  overmorrow: 'parso parson परसों परसो',
  morning: 'subah subha savere सुबह सवेरे',
  afternoon: 'dopahar dopehar dopaher दोपहर',
  evening: 'shaam sham शाम',
  night: 'raat रात',
  oclock: 'baje baj बजे',
  hours: 'ghante ghanta ghanton ghantey घंटे घंटा घंटों घण्टे घण्टा',
  minutes: 'minat mint मिनट मिनिट',
  days: 'din दिन',
  weeks: 'hafte hafta hafton हफ्ते हफ़्ते हफ्ता हफ़्ता',
  months: 'mahine mahina महीने महीना',
  later: 'baad बाद',
  in: 'mein men में',
  next: 'agle agla agli अगले अगला अगली',
  monday: 'somvar somwar somvaar सोमवार',
  tuesday: 'mangalvar mangalwar mangalvaar मंगलवार',
  wednesday: 'budhvar budhwar budhvaar बुधवार',
  thursday: 'guruvar guruwar veervar गुरुवार बृहस्पतिवार वीरवार',
  friday: 'shukravar shukrawar shukravaar शुक्रवार',
  saturday: 'shanivar shaniwar shanivaar शनिवार',
  sunday: 'ravivar raviwar ravivaar itvar itwar itvaar रविवार इतवार',
  january: 'जनवरी',
  february: 'फरवरी फ़रवरी',
  march: 'मार्च',
  april: 'अप्रैल',
  may: 'मई',
  june: 'जून',
  july: 'जुलाई',
  august: 'अगस्त',
  september: 'सितंबर सितम्बर',
  october: 'अक्टूबर अक्तूबर',
  november: 'नवंबर नवम्बर',
  december: 'दिसंबर दिसम्बर',
  'half past': 'saadhe sadhe saade साढ़े',
  'quarter past': 'sava savaa सवा',
  'quarter to': 'paune pone पौने',
}
/** English words too, some of them ("do", "sat", "teen"): numbers only right before a unit of time. */
const numbers: Record<string, string> = {
  1: 'ek एक',
  2: 'do दो',
  3: 'teen tin तीन',
  4: 'char chaar चार',
  5: 'paanch panch पाँच',
  6: 'chhe che chah cheh छह छः छे',
  7: 'saat sat सात',
  8: 'aath ath आठ',
  9: 'nau नौ',
  10: 'das dus दस',
  11: 'gyarah gyara ग्यारह',
  12: 'barah bara बारह',
  15: 'pandrah pandra पंद्रह पन्द्रह',
  20: 'bees bis बीस',
  30: 'tees tis तीस',
  40: 'chalis chaalis चालीस',
  45: 'paintalis paintaalis पैंतालीस',
  50: 'pachas pachaas पचास',
  60: 'saath साठ',
  '1:30': 'dedh डेढ़',
  '2:30': 'dhai dhaai ढाई',
  half: 'aadhe aadha adhe adha आधे आधा',
}
const units = new Set(['oclock', 'hours', 'minutes', 'minute', 'days', 'weeks', 'months'])

const wordOf = turnAround(words)
const numberWordOf = turnAround(numbers)

function turnAround(table: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([english, heard]) =>
      plain(heard)
        .split(' ')
        .map((word) => [word, english]),
    ),
  )
}

export function hindiToEnglish(tokens: readonly string[]): string[] {
  const english = tokens.map((token) => wordOf.get(token) ?? token)
  const read = english.map((token, index) => {
    const number = numberWordOf.get(token)
    return number !== undefined && units.has(english[index + 1] ?? '') ? number : token
  })
  return read.join(' ').split(' ')
}

export function isHindiTimeWord(word: string): boolean {
  return wordOf.has(word) || numberWordOf.has(word)
}
