import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

describe('cutText', () => {
  it.each([
    ['a text that fits', 'hello', 5, 'hello'],
    ['a text that is shorter', 'hi', 5, 'hi'],
    ['an empty text', '', 5, ''],
    ['a text of spaces', ' \n\t ', 5, ''],
    ['a longer text', 'hello world', 5, 'hell…'],
    ['a text cut after a word', 'hello world', 7, 'hello…'],
    ['lines as one', ' one\n\ttwo\r\n\r\nthree ', 20, 'one two three'],
    ['room for one character', 'hello', 1, '…'],
    ['no room', 'hello', 0, ''],
    ['emoji that fit', '🚀🚀🚀', 3, '🚀🚀🚀'],
    ['emoji that do not', '🚀🚀🚀🚀', 3, '🚀🚀…'],
    ['Chinese', '读取一个文件的内容', 5, '读取一个…'],
    ['half a character', 'a\ud83d', 5, 'a\ufffd'],
  ])('gives %s', (_, text, length, expected) => {
    expect(cutText(text, length)).toBe(expected)
  })

  it('never gives more characters than asked for, half a character, or a second line', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const line = cutText(text, length)
        expect([...line].length).toBeLessThanOrEqual(length)
        expect(line.isWellFormed()).toBe(true)
        expect(line).not.toMatch(/[\r\n]/)
      }),
    )
  })

  it('says by an ellipsis that there was more, and only then', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const whole = text.replace(/\s+/g, ' ').trim()
        expect(cutText(text, length).endsWith('…')).toBe([...whole].length > length)
      }),
    )
  })
})
