import { describe, expect, it } from 'vitest'
import { isNearlySame, wordsOf } from './is-nearly-same.ts'

describe('isNearlySame', () => {
  it.each([
    ['send email', 'Send emails'],
    ['send email', 'please send an email to Ada'],
    ['+github open issues', 'github open issue'],
    ['select:mail__send', 'select:mail__send'],
    ['to the', 'TO THE'],
    ['読む メール', '読む メール 今'],
    ['?', '?'],
  ])('holds for %j and %j', (one, other) => {
    expect(isNearlySame(wordsOf(one), wordsOf(other))).toBe(true)
    expect(isNearlySame(wordsOf(other), wordsOf(one))).toBe(true)
  })

  it.each([
    ['send email', 'read email'],
    ['github create issue', 'github list issues'],
    ['send email', 'weather tomorrow'],
    ['?', '!'],
    ['', 'send email'],
  ])('does not hold for %j and %j', (one, other) => {
    expect(isNearlySame(wordsOf(one), wordsOf(other))).toBe(false)
    expect(isNearlySame(wordsOf(other), wordsOf(one))).toBe(false)
  })
})
