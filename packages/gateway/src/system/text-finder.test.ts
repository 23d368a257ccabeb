import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextFinder } from './text-finder.ts'

function placesIn(text: string, known: readonly string[]): string[] {
  const places: string[] = []
  createTextFinder(known).find(text, (start, end) => {
    places.push(`${start}-${end}`)
    return true
  })
  return places
}

describe('createTextFinder', () => {
  it('finds texts that overlap and contain each other, the longest first', () => {
    expect(placesIn('ushers', ['he', 'she', 'hers', 'his'])).toEqual(['1-4', '2-4', '2-6'])
  })

  it('skips shorter texts with the same end if they are of no interest', () => {
    const places: string[] = []
    createTextFinder(['he', 'she']).find('she', (start, end) => {
      places.push(`${start}-${end}`)
      return false
    })
    expect(places).toEqual(['0-3'])
  })

  it('finds nothing without known texts', () => {
    expect(placesIn('text', [])).toEqual([])
  })

  it('finds what a search for each text finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ж'), maxLength: 40 })
    const known = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom('a', 'b', 'ж'), minLength: 1, maxLength: 6 }),
    )
    fc.assert(
      fc.property(letters, known, (text, texts) => {
        const expected = texts.flatMap((each) =>
          Array.from({ length: text.length }, (_, at) => at)
            .filter((at) => text.startsWith(each, at))
            .map((at) => `${at}-${at + each.length}`),
        )
        expect(placesIn(text, texts).sort()).toEqual(expected.sort())
      }),
    )
  })

  it('takes linear time for texts that nearly contain a long one', () => {
    const near = `${'a'.repeat(19_999)}b`.repeat(100)
    expect(placesIn(near, ['a'.repeat(20_000)])).toEqual([])
  })
})
