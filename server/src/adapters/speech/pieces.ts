const longestPiece = 160
// Where a sentence has ended. A full stop needs a space behind it (3.5, a.b@c.d); the others stand for themselves.
const sentenceEnd = /(?<=[.!?؟۔]\s)|(?<=[।॥。！？\n])/u

/** A text in pieces that are spoken one after the other: short ones begin sooner and can be given up sooner. */
export function piecesOf(text: string, longest = longestPiece): string[] {
  const clean = text.replace(/\p{Cc}+/gu, (found) => (found.includes('\n') ? '\n' : ' '))
  const pieces: string[] = []
  let piece = ''
  for (const part of clean.split(sentenceEnd).flatMap((one) => cut(one, longest))) {
    if (piece.length + part.length > longest) {
      pieces.push(piece)
      piece = ''
    }
    piece += part
  }
  return [...pieces, piece].map((one) => one.trim()).filter((one) => /[\p{L}\p{N}]/u.test(one))
}

/** The first sentence by itself, however short: whoever waits at a telephone hears it the sooner. */
export function piecesForTalk(text: string): string[] {
  const [first = '', ...rest] = text.split(sentenceEnd)
  return [...piecesOf(first), ...piecesOf(rest.join(''))]
}

/** Between words where there are any, never inside a character. */
function cut(text: string, longest: number): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > longest) {
    const space = rest.lastIndexOf(' ', longest - 1)
    const split = space > 0 ? space + 1 : startOfCharacter(rest, longest)
    parts.push(rest.slice(0, split))
    rest = rest.slice(split)
  }
  return [...parts, rest]
}

const startOfCharacter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at)
