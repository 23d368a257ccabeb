import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { createBigramProfile } from './bigram-profile.ts'

describe('createBigramProfile', () => {
  it.each([
    ['night', 'nacht', 0.25],
    ['read', 'read', 1],
    ['read', 'read_file', 6 / 11],
    ['aaaa', 'aa', 0.5],
    ['aa', 'aaaa', 0.5],
    ['abab', 'ab', 0.5],
    ['ab', 'ba', 0],
    ['abc', 'xyz', 0],
    ['a', 'a', 0],
    ['', '', 0],
    ['ab', 'a', 0],
    ['ab', '', 0],
    ['读取文件', '读取', 0.5],
  ])('compares %j and %j', (one, other, dice) => {
    expect(createBigramProfile(one).dice(other)).toBeCloseTo(dice, 12)
  })

  it('returns the same value for the same text', () => {
    const profile = createBigramProfile('read_file')
    const first = profile.dice('read_files')
    profile.dice('aaaaaaaa')
    expect(profile.dice('read_files')).toBe(first)
  })

  it('is symmetric, between 0 and 1, and 1 for the same text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', '中', '\ud83d'), maxLength: 20 })
    await checkProperty(
      fc.property(text, text, (one, other) => {
        const dice = createBigramProfile(one).dice(other)
        expect(dice).toBe(createBigramProfile(other).dice(one))
        expect(dice).toBeGreaterThanOrEqual(0)
        expect(dice).toBeLessThanOrEqual(1)
        if (one.length > 1) expect(createBigramProfile(one).dice(one)).toBe(1)
      }),
    )
  })
})
