// Pasted text to phone numbers, line by line.

export interface Lines {
  good: string[]
  faulty: { line: number; text: string; reason: string }[]
}

const wellFormed = /^\+[1-9][0-9]{6,14}$/

function reasonFor(text: string): string {
  if (!text.startsWith('+')) return 'Begin with a plus and the country code, such as +1 or +91.'
  if (/[^+0-9]/.test(text)) return 'Only digits belong after the plus.'
  return 'A number has 7 to 15 digits.'
}

/** Spaces, dots, dashes and brackets are how people write numbers; commas and semicolons part them like lines do. */
export function readLines(text: string): Lines {
  const good = new Set<string>()
  const faulty: Lines['faulty'] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    for (const piece of line.split(/[,;\t]/)) {
      const written = piece.trim()
      if (written === '') continue
      const number = written.replace(/[\s().-]/g, '')
      if (wellFormed.test(number)) good.add(number)
      else faulty.push({ line: at + 1, text: written.slice(0, 60), reason: reasonFor(number) })
    }
  }
  return { good: [...good], faulty }
}
