// docs/INBOUND.md is where the recipes are written and tested; here its sections are taken apart to be shown.
export type Piece = { kind: 'text' | 'bold' | 'code'; text: string }
export type Block = { kind: 'words'; pieces: Piece[] } | { kind: 'code'; language: string; text: string }
export type Section = { title: string; blocks: Block[] }

export function piecesOf(text: string): Piece[] {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*]+\*)/)
    .filter((part) => part !== '')
    .map((part): Piece => {
      if (part.startsWith('**')) return { kind: 'bold', text: part.slice(2, -2) }
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) }
      return part.startsWith('*') ? { kind: 'bold', text: part.slice(1, -1) } : { kind: 'text', text: part }
    })
}

function blocksOf(text: string): Block[] {
  // Every second part is a fenced block: its first line names the language.
  return text.split(/^```/m).flatMap((part, at): Block[] => {
    if (at % 2 === 1) {
      const [head = '', ...lines] = part.split('\n')
      return [{ kind: 'code', language: head.split(' ')[0] ?? '', text: lines.join('\n').trimEnd() }]
    }
    const paragraphs = part.split(/\n\s*\n|\n(?=- )/).map((each) => each.replace(/\s*\n\s*/g, ' ').trim())
    return paragraphs.filter((each) => each !== '').map((each) => ({ kind: 'words', pieces: piecesOf(each) }))
  })
}

export const sectionsOf = (markdown: string): Section[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n')
      return { title: title.trim(), blocks: blocksOf(lines.join('\n')) }
    })

/** The recipes, in the order in which people ask for them. */
export const recipeTitles = ['curl', 'Zapier', 'Make', 'n8n', 'Google Sheets', 'A plain HTML form', 'Signing'] as const

/** The organisation's own URL in place of the words that stand for it, while it is known. */
export const withUrl = (code: string, url: string | null): string =>
  url === null ? code : code.replaceAll('"$HOOK_URL"', `'${url}'`)
