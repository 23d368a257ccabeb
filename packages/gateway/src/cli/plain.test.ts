import { describe, expect, it } from 'vitest'
import { plain, plainJson, plainLines } from './plain.ts'
import { createTerminal } from './terminal.ts'

const HIDDEN = 'a\u001b[2Jb\u009b31mc\u202ed\u200be\u{e0041}f\u2028g'

describe('plain', () => {
  it('replaces control characters and shows invisible ones', () => {
    expect(plain(HIDDEN)).toBe('a [2Jb 31mc<U+202E>d<U+200B>e<U+E0041>f g')
  })

  it('keeps accents, emoji and joined scripts', () => {
    const text = 'é 日本語 👩‍👩‍👧 نامه‌ای क्‍ष'
    expect(plain(text)).toBe(text)
  })

  it('keeps line breaks and tabs of texts with several lines', () => {
    expect(plainLines('a\n\tb\r\nc\u0007')).toBe('a\n\tb\r\nc ')
  })
})

describe('plainJson', () => {
  it('escapes what a terminal would interpret, and stays exact', () => {
    const value = { [HIDDEN]: [HIDDEN, '\u007f', 'plain\ntext'] }
    const json = plainJson(value, 2)
    expect(json).toMatch(/\\u009b31m/)
    expect(json).toMatch(/\\u202e/)
    expect(json.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u)
    expect(JSON.parse(json)).toEqual(value)
  })
})

describe('createTerminal', () => {
  function written(env: Record<string, string>, text: string): string {
    let output = ''
    const stdout = { write: (piece: string) => (output += piece), isTTY: true, columns: 40 }
    createTerminal(stdout, stdout, env).print(text)
    return output
  }

  it('lets only its own styles through', () => {
    const text = '\u001b[1mbold\u001b[22m \u001b[8mhidden \u001b]0;title\u0007'
    expect(written({}, text)).toBe('\u001b[1mbold\u001b[22m  [8mhidden  ]0;title \n')
  })

  it('writes no styles with NO_COLOR', () => {
    expect(written({ NO_COLOR: '1' }, '\u001b[1mbold\u001b[22m')).toBe('bold\n')
  })
})
