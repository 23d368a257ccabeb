import { describe, expect, it } from 'vitest'
import { linearPattern } from './linear-pattern.ts'

const TEXTS = [
  ...[
    '',
    'a',
    'ab',
    'A',
    'a\nc',
    'a\rc',
    'abc',
    'a\u2028c',
    'a@b.c',
    '\u00a0',
    '\ufeff',
    ' ',
    '😀',
  ],
  ...['é', '1234-56', 'foo', 'a foo b', '(', ')', ':', '?', '[', ']', '-', '^', '\b', '\u0001'],
  ...['\0', '$', '.x', '/', 'x', '\v', '_', '<', 'a\n', '\na', 'ſ', 'K', 'α', '٣'],
]

describe('linearPattern', () => {
  it.each([
    ...['^a$', '^\\S+@\\S+$', '[^]', '[]', '[\\b]', 'a.c', '^.$', '[(?:[]', '[a[^]', '[(?<a>]'],
    ...['^[\\w.+-]+$', '\\u{1F600}', '\\ud83d\\ude00', '\\u0061', '[^\\s]', '[\\S]', '\\s', '\\/'],
    ...['^\\p{L}+$', '\\P{Lu}', '(?<year>\\d{4})-(?<month>..)', '\\cA', '\\0', '[[:alpha:]+', '^$'],
    ...['\\bfoo\\b', 'x{0,1000}', '[\\]]', '[-a]', '[a\\-z]', '\\$', '^\\.\\w+$', '\\W', '[\\d-]'],
    ...['\\x41', '[\\u{1F600}-\\u{1F64F}]', 'a$|^b', '(?:a|b)*?c', '\\t|\\v|\\f', '[^\\W\\d]'],
  ])('matches what JavaScript matches: %s', (pattern) => {
    const linear = linearPattern(pattern)!
    const matching = (test: (text: string) => boolean) => TEXTS.filter(test)
    const native = new RegExp(pattern, 'u')
    expect(matching((text) => linear.test(text))).toEqual(matching((text) => native.test(text)))
  })

  it.each([
    ...[
      '(?=a)',
      '(?!a)',
      '(?<=a)b',
      '(?<!a)b',
      '(a)\\1',
      '(?<x>a)\\k<x>',
      'a{1001}',
      '(a{100}){100}',
    ],
    ...['(?i)a', '(?P<x>a)', '\\A', '[', '(', 'a**', '\\p{Script=Greek}', 'a'.repeat(2_001)],
  ])('gives up on %s', (pattern) => {
    expect(linearPattern(pattern)).toBeUndefined()
  })
})
