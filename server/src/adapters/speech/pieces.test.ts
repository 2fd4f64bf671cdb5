import { describe, expect, it } from 'vitest'
import { piecesOf } from './pieces.ts'

describe('a text in pieces', () => {
  it('keeps short sentences together and splits between them when they get long', () => {
    expect(piecesOf('One. Two? Three!')).toEqual(['One. Two? Three!'])
    expect(piecesOf('One sentence. Another one.', 15)).toEqual(['One sentence.', 'Another one.'])
    expect(piecesOf('नमस्ते। आप कैसे हैं?', 10)).toEqual(['नमस्ते।', 'आप कैसे', 'हैं?'])
  })

  it('splits a long sentence between words, and a long word anywhere but inside a character', () => {
    expect(piecesOf('one two three four', 10)).toEqual(['one two', 'three four'])
    expect(piecesOf('aaaaaaaaaaaa', 5)).toEqual(['aaaaa', 'aaaaa', 'aa'])
    expect(piecesOf('𝒶𝒷𝒸𝒹', 3)).toEqual(['𝒶', '𝒷', '𝒸', '𝒹'])
  })

  it('has nothing to say where there is nothing to say', () => {
    expect(piecesOf('')).toEqual([])
    expect(piecesOf(' … \u0000 -- !!! ')).toEqual([])
  })

  it('loses no word and makes no piece too long', () => {
    const text = 'The quick, brown fox; jumps over. The lazy dog!? Again and again... 3.5 times\n\nand more '.repeat(50)
    const pieces = piecesOf(text)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(160)
    expect(pieces.join(' ').split(/\s+/)).toEqual(text.trim().split(/\s+/))
  })
})
