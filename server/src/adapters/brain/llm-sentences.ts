/** A stop is an end only before a space ("3.5", "parley.test"); the stops of Hindi, Chinese and Urdu need none. */
const ends = /[.!?…؟]+["'”’)\]»]*(?=\s)|[।॥。！？۔]+["'”’)\]»」』]*|\n/gu
const noEnd = /(?:^|[\s("“])(?:mr|mrs|ms|dr|prof|sr|jr|st|vs|e\.g|i\.e|a\.m|p\.m|\p{L})\.$|^\s*\d{1,2}\.$/iu
const thinking = { from: '<think>', to: '</think>' }

/** Cuts streamed text into sentences, each as soon as it is whole. */
export function createSentences() {
  let rest = ''
  let begun = false

  /** Some models think aloud before they answer; the phone must not hear it. False while that lasts. */
  const skipThinking = (): boolean => {
    if (begun || !rest.trimStart().startsWith(thinking.from)) return true
    const end = rest.indexOf(thinking.to)
    if (end === -1) return false
    rest = rest.slice(end + thinking.to.length)
    return true
  }

  return {
    /** The sentences that are whole now. */
    push(text: string): string[] {
      rest += text
      if (!skipThinking()) return []
      const sentences: string[] = []
      let from = 0
      for (const end of rest.matchAll(ends)) {
        const upTo = end.index + end[0].length
        const sentence = rest.slice(from, upTo)
        if (noEnd.test(sentence)) continue
        sentences.push(sentence)
        from = upTo
        begun ||= sentence.trim() !== ''
      }
      rest = rest.slice(from)
      return sentences
    },
    /** What has no end yet, for when nothing follows, or when it has become too long to wait. */
    unfinished: (): string => (skipThinking() ? rest : ''),
  }
}

/** As it is to be spoken and kept: one line, no marks of Markdown, nothing a database refuses. */
export function speakable(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')
    .replace(/^\s*(?:#{1,6}|[-•])\s+/u, '')
    .replace(/\*+(?=\S)|(?<=\S)\*+|`+/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

export function cutAtWord(text: string, most: number): string {
  const cut = text.slice(0, most)
  const space = cut.lastIndexOf(' ')
  return space > 0 ? cut.slice(0, space) : cut
}
