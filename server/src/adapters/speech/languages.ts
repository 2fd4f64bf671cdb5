/** `en-IN` → `en`. Languages come from outside and may be anything. */
export const primaryLanguage = (language: string) => language.trim().toLowerCase().split(/[-_]/)[0] ?? ''
