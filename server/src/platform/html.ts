/** Markup that may stand in a page as it is. Only `html` makes it. */
export type Html = { readonly markup: string }
type Part = Html | string | number | null | readonly Html[]

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => names[each] ?? '')

/** Whatever is filled in is text, and escaped, unless `html` made it: what strangers wrote cannot become markup. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: texts.map((text, index) => text + (index < parts.length ? markupOf(parts[index] ?? null) : '')).join(''),
})

function markupOf(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map((each) => each.markup).join('')
}
