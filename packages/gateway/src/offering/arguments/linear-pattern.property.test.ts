import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../../testing/deep.ts'
import { linearPattern } from './linear-pattern.ts'

describe('linearPattern', () => {
  it('matches what JavaScript matches, for any pattern of these parts', async () => {
    const part = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '\\s',
        '\\S',
        '\\w',
        '\\d',
        '^',
        '$',
        '|',
        '(?:a|b)',
        '(a)',
        '[^a]',
        '[a-c]',
        '[\\s\\d]',
        '\\n',
        ' ',
      ],
      ...['a*', 'b+?', '(?:ab)?', '.{1,2}', '\\b'],
    )
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', ' ', '\n', '\r', '1', '\u00a0', '😀'),
      maxLength: 8,
    })
    await checkProperty(
      fc.property(fc.array(part, { maxLength: 6 }), text, (parts, sample) => {
        const pattern = parts.join('')
        expect(linearPattern(pattern)?.test(sample)).toBe(new RegExp(pattern, 'u').test(sample))
      }),
    )
  })
})
