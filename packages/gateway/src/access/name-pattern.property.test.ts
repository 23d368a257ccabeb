import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { matchesPattern, readPattern } from './name-pattern.ts'

describe('matchesPattern', () => {
  it('agrees with a regular expression', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    await checkProperty(
      fc.property(patterns, letters, (pattern, text) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)
        expect(matchesPattern(readPattern(pattern), text)).toBe(expected)
      }),
    )
  })
})
