import { describe, expect, it } from 'vitest'
import { areSimilar, queryWords } from './similar-queries.ts'

describe('areSimilar', () => {
  it.each([
    ['send email', 'Send emails'],
    ['send email', 'please send an email to Ada'],
    ['+github open issues', 'github open issue'],
    ['select:mail__send', 'select:mail__send'],
    ['to the', 'TO THE'],
    ['読む メール', '読む メール 今'],
    ['?', '?'],
  ])('is true for %j and %j', (a, b) => {
    expect(areSimilar(queryWords(a), queryWords(b))).toBe(true)
    expect(areSimilar(queryWords(b), queryWords(a))).toBe(true)
  })

  it.each([
    ['send email', 'read email'],
    ['github create issue', 'github list issues'],
    ['send email', 'weather tomorrow'],
    ['?', '!'],
    ['', 'send email'],
  ])('is false for %j and %j', (a, b) => {
    expect(areSimilar(queryWords(a), queryWords(b))).toBe(false)
    expect(areSimilar(queryWords(b), queryWords(a))).toBe(false)
  })
})
