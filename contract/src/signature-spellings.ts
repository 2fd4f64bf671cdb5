import type { SignatureMistake } from './signature-mistakes.ts'

type Spelling = { mistakes: SignatureMistake[]; text: string }

const versions: Spelling[] = [
  { mistakes: [], text: 'v1=' },
  { mistakes: ['version_missing'], text: '' },
  { mistakes: ['version_comma'], text: 'v1,' },
]

function digestSpellings(digest: Uint8Array): Spelling[] {
  const base64 = btoa(String.fromCharCode(...digest))
  const base64url = base64.replaceAll('+', '-').replaceAll('/', '_')
  return [
    { mistakes: [], text: base64 },
    { mistakes: ['hex_digest'], text: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') },
    { mistakes: ['padding_missing'], text: base64.replace(/=+$/, '') },
    { mistakes: ['base64url'], text: base64url },
    { mistakes: ['base64url', 'padding_missing'], text: base64url.replace(/=+$/, '') },
  ]
}

/** What is wrong with the way this digest is written in the header: nothing (empty), or null when it is another one. */
export function spellingMistakes(signature: string, digest: Uint8Array): SignatureMistake[] | null {
  const text = signature.trim()
  const around: SignatureMistake[] = text === signature ? [] : ['whitespace_around']
  const spellings = digestSpellings(digest).flatMap((each) =>
    versions.map((version) => ({
      mistakes: [...version.mistakes, ...each.mistakes],
      text: version.text + each.text,
    })),
  )
  const exact = spellings.find((each) => each.text === text)
  if (exact) return [...exact.mistakes, ...around]
  const loose = spellings.find((each) => each.text.toLowerCase() === text.toLowerCase())
  return loose ? [...loose.mistakes, 'case_changed', ...around] : null
}
