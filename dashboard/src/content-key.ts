// A key that stands for a text: the same text gives the same key. Not a secret: the browser's own hashes need https.
function hash53(text: string, seed: number): number {
  let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** Some two hundred bits in letters and digits. */
export const contentKey = (text: string): string =>
  [1, 2, 3, 4]
    .map((seed) =>
      hash53(text, seed * 0x9e3779b1)
        .toString(36)
        .padStart(11, '0'),
    )
    .join('')

/** Sixteen random bytes; unlike randomUUID also without https. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
