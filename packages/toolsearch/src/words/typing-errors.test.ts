import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { typingErrors } from './typing-errors.ts'

describe('typingErrors', () => {
  it.each([
    ['calender', 'calendar', 1],
    ['recieve', 'receive', 1],
    ['mesage', 'message', 1],
    ['messsage', 'message', 1],
    ['same', 'same', 0],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
  ])('counts the errors between %j and %j: %d', (a, b, errors) => {
    expect(typingErrors(a, b, 5)).toBe(errors)
    expect(typingErrors(b, a, 5)).toBe(errors)
  })

  it('stops counting beyond the maximum', () => {
    expect(typingErrors('completely', 'different', 2)).toBe(3)
  })

  it('returns the same count as an exhaustive search', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '中'), maxLength: 7 })
    await checkProperty(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
        const counted = Math.min(typingErrors(a, b, most), most + 1)
        expect(counted).toBe(Math.min(errorsBetween(a, b), most + 1))
      }),
    )

    function errorsBetween(a: string, b: string): number {
      if (a === '' || b === '') return a.length + b.length
      const ways = [
        errorsBetween(a.slice(1), b) + 1,
        errorsBetween(a, b.slice(1)) + 1,
        errorsBetween(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
      ]
      if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) {
        ways.push(errorsBetween(a.slice(2), b.slice(2)) + 1)
      }
      return Math.min(...ways)
    }
  })
})
