/** Agents carry a code ("hi", "hi-IN") or a name ("Hindi"). */
export function isHindi(language: string): boolean {
  return /^(?:hi(?:$|[-_])|hindi\b|हिन्दी|हिंदी)/.test(language.trim().toLowerCase())
}
