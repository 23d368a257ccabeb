import { describe, expect, it } from 'vitest'
import { revealHidden } from './reveal-hidden.ts'

describe('revealHidden', () => {
  it.each([
    ['a direction', 'pay \u202eecila', 'pay [U+202E]ecila'],
    ['words in tags', 'ok\u{e0061}\u{e0062}', 'ok[U+E0061][U+E0062]'],
    ['a joint without width', 'de\u200blete', 'de[U+200B]lete'],
    ['colours of a terminal', '\u001b[31mred', '[U+001B][31mred'],
    ['a line that is written over', 'good\rbad', 'good[U+000D]bad'],
  ])('shows %s', (_, text, shown) => {
    expect(revealHidden(text)).toBe(shown)
  })

  it.each(['two\n\tlines', 'مرحبا שלום', '👩‍👩‍👧‍👦 ❤️', 'नमस्ते'])('leaves %j as it is', (text) => {
    expect(revealHidden(text)).toBe(text)
  })
})
