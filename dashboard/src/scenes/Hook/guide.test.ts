import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { piecesOf, recipeTitles, sectionsOf, withUrl } from './guide.ts'

const sections = sectionsOf(readFileSync('docs/INBOUND.md', 'utf8'))

describe('the recipes of docs/INBOUND.md', () => {
  it.each(recipeTitles)('%s is there, with something to copy', (title) => {
    const found = sections.find((each) => each.title === title)
    expect(found?.blocks.some((block) => block.kind === 'code')).toBe(true)
    for (const block of found?.blocks ?? []) {
      if (block.kind === 'words') expect(block.pieces.map((piece) => piece.text).join('')).not.toMatch(/\*\*|```/)
    }
  })

  it('the curl command takes the URL when it is known', () => {
    const [first] = sections.find((each) => each.title === 'curl')?.blocks.filter((each) => each.kind === 'code') ?? []
    const code = first?.kind === 'code' ? first.text : ''
    expect(withUrl(code, 'https://parley.test/v1/hooks/abc')).toContain("'https://parley.test/v1/hooks/abc'")
    expect(withUrl(code, null)).toContain('$HOOK_URL')
  })
})

it('bold, code and plain words are told apart', () => {
  expect(piecesOf('Take **HTTP** and `POST`.')).toEqual([
    { kind: 'text', text: 'Take ' },
    { kind: 'bold', text: 'HTTP' },
    { kind: 'text', text: ' and ' },
    { kind: 'code', text: 'POST' },
    { kind: 'text', text: '.' },
  ])
})
