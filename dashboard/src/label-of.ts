/** `professional` → `Professional`, `front_desk` → `Front desk`: a plan or role the dashboard has never heard of still reads well. */
export function labelOf(word: string): string {
  const spaced = word.replaceAll('_', ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
