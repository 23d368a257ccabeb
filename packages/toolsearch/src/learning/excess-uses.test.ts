import { describe, expect, it } from 'vitest'
import { excessUses } from './excess-uses.ts'

/** Each letter is the person of a use, oldest first. */
function kept(people: string, limit: number): string {
  const uses = [...people].map((person, at) => ({
    id: `${at}`,
    tool: 'pay',
    person,
    words: `request ${at}`,
    at,
    found: true,
  }))
  const excess = excessUses(uses, limit)
  return uses.map((use) => (excess.includes(use) ? '.' : use.person)).join('')
}

describe('excessUses', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, '.bc'],
    ['baaaa', 3, 'b..aa'],
    ['bcaaaaaa', 3, 'bc.....a'],
    ['aaabbb', 4, '.aa.bb'],
    ['aaabb', 4, '.aabb'],
    ['bbbbba', 2, '....ba'],
  ])('of %s keeps, with the limit %i, %s', (people, limit, expected) => {
    expect(kept(people, limit)).toBe(expected)
  })
})
