import { UriTemplate } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { matchesTemplate } from './matches-template.ts'

describe('matchesTemplate', () => {
  it.each([
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['a://{id}/text', 'a://7/text', true],
    ['a://{id}/text', 'a://7/8/text', false],
    ['a://{id}/text', 'a:///text', false],
    ['a://x{/kind,id}', 'a://x/k', true],
    ['a://x{?q,page}', 'a://x?q=1&page=2', true],
    ['a://x{?q,page}', 'a://x?page=2&q=1', false],
    ['a://x{#part}', 'a://x#end', true],
    ['a://x{.type}', 'a://x.png', true],
    ['a://{+a}b{c}d', 'a://xbxbxd', true],
    ['a://{tags*}', 'a://one,two', true],
    ['a://fixed', 'a://fixed', true],
    ['a://{', 'a://{', false],
    ['a://{}', 'a://x', false],
    ['a://{a{b}}', 'a://x', false],
    ['a://}', 'a://}', false],
    [`a://${'{a}'.repeat(21)}`, `a://${'x'.repeat(40)}`, false],
    ['a://{+a}', `a://${'x'.repeat(8_192)}`, false],
    [`a://{a}${'x'.repeat(2_048)}`, `a://a${'x'.repeat(2_048)}`, false],
  ])('%s and %s: %s', (template, uri, expected) => {
    expect(matchesTemplate(template, uri)).toBe(expected)
  })

  it('matches what the regular expressions of the SDK match', async () => {
    const text = fc.constantFrom('a', 'b/', ',', '.', '?q=', '/', '&')
    const expression = fc.constantFrom('{x}', '{+y}', '{/z}', '{.w}', '{?q}', '{&r}')
    const template = fc.array(fc.oneof(text, expression), { maxLength: 6 })
    const uri = fc.array(fc.oneof(text, fc.constantFrom('#', '&r=')), { maxLength: 8 })
    await checkProperty(
      fc.property(template, uri, (one, other) => {
        const [given, asked] = [`s:${one.join('')}`, `s:${other.join('')}`]
        const expected = new UriTemplate(given).match(asked) !== null
        expect(matchesTemplate(given, asked)).toBe(expected)
      }),
      { cases: 500 },
    )
  })
})
