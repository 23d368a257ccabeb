import { expect, it } from 'vitest'
import { percentDecodings } from './percent-encoding.ts'

it.each([
  ['a/b', ['a/b']],
  ['a%2Fb', ['a%2Fb', 'a/b']],
  ['a%252fb', ['a%252fb', 'a%2fb', 'a/b']],
  ['%C3%A4', ['%C3%A4', 'ä']],
  ['a%2fb%', ['a%2fb%', 'a/b%']],
  ['%2f%ff%zz%c3', ['%2f%ff%zz%c3', '/%ff%zz%c3']],
  ['%e4%2e%2e', ['%e4%2e%2e', '%e4..']],
])('decodes what is valid in %s, step by step', (text, expected) => {
  expect(percentDecodings(text)).toEqual(expected)
})

it('ends after some steps', () => {
  expect(percentDecodings(`%${'25'.repeat(1_000)}2f`).length).toBeLessThan(10)
})
