/** A text as services take it: no control characters, no half characters. */
export const spokenText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\p{Cs}/gu, '')
    .trim()
