/**
 * What recognisers spell differently becomes the same: case, apostrophes, punctuation, the Devanagari nukta,
 * joiners and chandrabindu, Devanagari digits, "a.m.", "5.30". Words are one blank apart.
 */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u093c\u200c\u200d]/g, '')
    .replaceAll('\u0901', '\u0902')
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966))
    .replace(/['’‘`]/g, '')
    .replace(/\b([ap])\.\s?m\b/g, '$1m')
    .replace(/(\d)\.(\d\d)(?!\d)/g, '$1:$2')
    .replace(/(\d)(am|pm)\b/g, '$1 $2')
    .replace(/[^\p{L}\p{M}\p{N}:]+/gu, ' ')
    .replace(/(?<!\d):|:(?!\d)/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
}
