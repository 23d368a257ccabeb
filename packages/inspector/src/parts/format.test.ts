import { describe, expect, it } from 'vitest'
import {
  formatCount,
  formatMany,
  formatMilliseconds,
  formatScore,
  formatShare,
  formatSize,
} from './format.ts'

describe('number formats', () => {
  it.each([
    [formatCount(21_340), '21,340'],
    [formatMany(1, 'tool'), '1 tool'],
    [formatMany(2_000, 'search', 'searches'), '2,000 searches'],
    [formatShare(0.9762), '97.6%'],
    [formatShare(0.5), '50%'],
    [formatShare(0.99999), '> 99.9%'],
    [formatShare(0.00001), '< 0.1%'],
    [formatShare(0), '0%'],
    [formatShare(1), '100%'],
    [formatScore(0.4211), '0.42'],
    [formatScore(7.12), '7.1'],
    [formatScore(148.2), '148'],
    [formatMilliseconds(0.2), '< 1 ms'],
    [formatMilliseconds(12.6), '13 ms'],
    [formatMilliseconds(1530), '1.5 s'],
    [formatSize(840), '840'],
    [formatSize(12_412), '12.4k'],
    [formatSize(999_999), '1.0M'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected)
  })
})
