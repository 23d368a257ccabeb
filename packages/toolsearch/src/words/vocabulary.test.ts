import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVocabulary, typingErrors } from './vocabulary.ts'

describe('createVocabulary', () => {
  const words = (...terms: string[]) => {
    const vocabulary = createVocabulary()
    for (const term of terms) vocabulary.add(term)
    return vocabulary
  }

  it('contains the terms that were added and not deleted', () => {
    const vocabulary = words('calendar', 'mail')
    vocabulary.delete('mail')
    vocabulary.delete('never')
    expect(vocabulary.has('calendar')).toBe(true)
    expect(vocabulary.has('mail')).toBe(false)
    expect(vocabulary.has('')).toBe(false)
  })

  it('finds at most eight terms with a prefix, shortest first', () => {
    const vocabulary = words('channels', 'chan', 'channel', 'chat', 'machan')
    expect(vocabulary.startingWith('chan')).toEqual(['chan', 'channel', 'channels'])
    for (let i = 0; i < 20; i++) vocabulary.add(`chan${i}`)
    expect(vocabulary.startingWith('chan')).toHaveLength(8)
  })

  it('finds the terms with the fewest typing errors', () => {
    const vocabulary = words('calendar', 'calender2', 'mail', 'main')
    expect(vocabulary.resembling('calender')).toEqual(['calendar', 'calender2'])
    expect(vocabulary.resembling('mial')).toEqual(['mail'])
    expect(vocabulary.resembling('nail')).toEqual([])
  })

  it('allows two errors only in a long word', () => {
    const vocabulary = words('kubernetes', 'issue')
    expect(vocabulary.resembling('kubernets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('kubrenets')).toEqual(['kubernetes'])
    expect(vocabulary.resembling('isu')).toEqual([])
  })

  it('finds the same terms in whatever order they were added', () => {
    const term = fc.stringMatching(/^ab[a-c]{2,4}$/)
    fc.assert(
      fc.property(fc.uniqueArray(term, { maxLength: 30, size: 'max' }), (terms) => {
        const one = words(...terms)
        const other = words(...terms.toReversed())
        for (const word of ['ab', 'aba', 'abab', 'ababc', 'abcabcab']) {
          expect(one.startingWith(word)).toEqual(other.startingWith(word))
          expect(one.resembling(word)).toEqual(other.resembling(word))
        }
      }),
    )
  })
})

describe('typingErrors', () => {
  it.each([
    ['calender', 'calendar', 1],
    ['recieve', 'receive', 1],
    ['mesage', 'message', 1],
    ['messsage', 'message', 1],
    ['same', 'same', 0],
    ['kitten', 'sitting', 3],
    ['', 'ab', 2],
  ])('counts from %j to %j: %d', (a, b, errors) => {
    expect(typingErrors(a, b, 5)).toBe(errors)
    expect(typingErrors(b, a, 5)).toBe(errors)
  })

  it('stops counting beyond the maximum', () => {
    expect(typingErrors('completely', 'different', 2)).toBe(3)
  })

  it('agrees with an exhaustive search', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '中'), maxLength: 7 })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
        const counted = Math.min(typingErrors(a, b, most), most + 1)
        expect(counted).toBe(Math.min(errorsBetween(a, b), most + 1))
      }),
      { numRuns: 500 },
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
