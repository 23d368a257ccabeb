import { describe, expect, it } from 'vitest'
import { cutWords } from './cut-words.ts'

describe('cutWords', () => {
  it.each([
    ['short', 10, 'short'],
    ['two  lines\nbecome one', 30, 'two lines become one'],
    ['cut between two words', 14, 'cut between…'],
    ['cut, between', 8, 'cut…'],
    ['exactly this', 8, 'exactly…'],
    [`see ${'x'.repeat(60)}`, 40, `see ${'x'.repeat(35)}…`],
    ['👍'.repeat(20), 10, `${'👍'.repeat(4)}…`],
    ['', 5, ''],
  ])('shortens %j to %i characters', (text, length, shortened) => {
    expect(cutWords(text, length)).toBe(shortened)
    expect(shortened.length).toBeLessThanOrEqual(length)
  })
})
