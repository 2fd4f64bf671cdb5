/** Words by which a listener says "go on". They never take the floor from whoever is speaking. */
const goOn: Record<string, readonly string[]> = {
  en: [
    'ok',
    'okay',
    'yeah',
    'yes',
    'yep',
    'right',
    'sure',
    'i see',
    'got it',
    'all right',
    'alright',
    'really',
    'go on',
  ],
  hi: [
    'haan',
    'han',
    'haan ji',
    'ji',
    'ji haan',
    'achha',
    'accha',
    'theek hai',
    'thik hai',
    'हाँ',
    'हां',
    'जी',
    'जी हाँ',
    'अच्छा',
    'ठीक है',
    'हम्म',
  ],
  te: ['avunu', 'sare', 'sari', 'ha', 'haa', 'అవును', 'సరే', 'ఆ', 'హా'],
  ta: ['aama', 'aamaa', 'sari', 'seri', 'ஆமா', 'ஆமாம்', 'சரி', 'ம்'],
  es: ['sí', 'si', 'claro', 'vale', 'ya', 'ajá', 'aja', 'de acuerdo', 'bueno', 'bien'],
  bn: ['hyan', 'thik ache', 'হ্যাঁ', 'আচ্ছা', 'ঠিক আছে'],
  mr: ['ho', 'barobar', 'हो', 'बरं', 'ठीक आहे'],
  kn: ['haudu', 'sari', 'ಹೌದು', 'ಸರಿ'],
  ml: ['athe', 'sheri', 'അതെ', 'ശരി'],
  gu: ['ha', 'haa', 'saru', 'હા', 'સારું'],
  pa: ['haan ji', 'ਹਾਂ', 'ਹਾਂ ਜੀ', 'ਠੀਕ ਹੈ'],
}
/** Sounds rather than words: the same everywhere. */
const hums = [
  'mm',
  'mmm',
  'hm',
  'hmm',
  'mhm',
  'mm hm',
  'mm hmm',
  'mhmm',
  'uh huh',
  'uhuh',
  'ah',
  'aha',
  'oh',
  'uh',
  'um',
]
/** With these a callee picks up: while the agent greets, they are no interruption either. */
const pickUps = [
  'hello',
  'hi',
  'hey',
  'hallo',
  'hola',
  'bueno',
  'diga',
  'namaste',
  'namaskaram',
  'vanakkam',
  'haan',
  'haan ji',
  'नमस्ते',
  'हैलो',
  'हेलो',
  'నమస్కారం',
  'హలో',
  'வணக்கம்',
  'ஹலோ',
]

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** A few of these words one after the other, and nothing else. Callees mix English into every language. */
export function isBackChannel(text: string, language: string, { greeting = false } = {}): boolean {
  const primary = language.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  const phrases = new Set([...hums, ...(goOn[primary] ?? []), ...(goOn.en ?? []), ...(greeting ? pickUps : [])])
  const words = plain(text).split(' ')
  if (words.length > 6 || words[0] === '') return false
  for (let at = 0; at < words.length; ) {
    const [three, two, one] = [3, 2, 1].map((count) => words.slice(at, at + count).join(' '))
    if (three !== undefined && words.length - at >= 3 && phrases.has(three)) at += 3
    else if (two !== undefined && words.length - at >= 2 && phrases.has(two)) at += 2
    else if (one !== undefined && phrases.has(one)) at += 1
    else return false
  }
  return true
}
