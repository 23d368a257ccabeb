import { describe, expect, it } from 'vitest'
import { revealHidden } from './reveal-hidden.ts'

describe('revealHidden', () => {
  it.each([
    ['a direction override', 'pay \u202eecila', 'pay [U+202E]ecila'],
    ['tag characters', 'ok\u{e0061}\u{e0062}', 'ok[U+E0061][U+E0062]'],
    ['a zero-width space', 'de\u200blete', 'de[U+200B]lete'],
    ['terminal escape sequences', '\u001b[31mred', '[U+001B][31mred'],
    ['a carriage return', 'good\rbad', 'good[U+000D]bad'],
  ])('reveals %s', (_, text, shown) => {
    expect(revealHidden(text)).toBe(shown)
  })

  it.each(['two\n\tlines', 'مرحبا שלום', '👩‍👩‍👧‍👦 ❤️', 'नमस्ते'])('does not change %j', (text) => {
    expect(revealHidden(text)).toBe(text)
  })
})
