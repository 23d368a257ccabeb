import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { cutText } from './cut-text.ts'

describe('cutText', () => {
  it.each([
    ['a text of the exact length', 'hello', 5, 'hello'],
    ['a shorter text', 'hi', 5, 'hi'],
    ['an empty text', '', 5, ''],
    ['whitespace', ' \n\t ', 5, ''],
    ['a longer text', 'hello world', 5, 'hell…'],
    ['a text truncated after a word', 'hello world', 7, 'hello…'],
    ['several lines', ' one\n\ttwo\r\n\r\nthree ', 20, 'one two three'],
    ['a length of 1', 'hello', 1, '…'],
    ['a length of 0', 'hello', 0, ''],
    ['emoji that fit', '🚀🚀🚀', 3, '🚀🚀🚀'],
    ['emoji that do not fit', '🚀🚀🚀🚀', 3, '🚀🚀…'],
    ['Chinese', '读取一个文件的内容', 5, '读取一个…'],
    ['a lone surrogate', 'a\ud83d', 5, 'a\ufffd'],
  ])('handles %s', (_, text, length, expected) => {
    expect(cutText(text, length)).toBe(expected)
  })

  it('never returns too many characters, a lone surrogate or a second line', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 })
    await checkProperty(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const line = cutText(text, length)
        expect([...line].length).toBeLessThanOrEqual(length)
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\r\n]/)
      }),
    )
  })

  it('ends with an ellipsis only if the text was truncated', async () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
    await checkProperty(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const whole = text.replace(/\s+/g, ' ').trim()
        expect(cutText(text, length).endsWith('…')).toBe([...whole].length > length)
      }),
    )
  })
})
