import { describe, expect, it } from 'vitest'
import { count } from './format.ts'

describe('count', () => {
  it.each([
    [0, '0 calls'],
    [1, '1 call'],
    [22_534, '22,534 calls'],
  ])('writes %i with the right plural', (value, text) => {
    expect(count(value, 'call')).toBe(text)
  })

  it('accepts an irregular plural', () => {
    expect(count(2, 'search', 'searches')).toBe('2 searches')
  })
})
