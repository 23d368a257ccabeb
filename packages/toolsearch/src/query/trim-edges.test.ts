import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { trimEdges } from './trim-edges.ts'

describe('trimEdges', () => {
  it.each([
    ['', ''],
    ['""', ''],
    ['"a"', 'a'],
    ['a"b', 'a"b'],
    ['""a b""', 'a b'],
    ['😀"a"😀', '😀"a"😀'],
    ['"😀"', '😀'],
  ])('trims %j to %j', (text, expected) => {
    expect(trimEdges(text, /"/)).toBe(expected)
  })

  it('trims whole characters outside the basic plane', () => {
    expect(trimEdges('😀a𝒳😀', /😀/u)).toBe('a𝒳')
    expect(trimEdges('😀😀', /😀/u)).toBe('')
  })

  it('trims like a loop over all characters, for any text', async () => {
    const character = fc.constantFrom('a', '"', ' ', '😀', '𝒳', '中', '\ud83d', '\ude00')
    const edge = /[^\p{L}]/u
    await checkProperty(
      fc.property(fc.array(character), (list) => {
        const characters = [...list.join('')]
        while (characters.length > 0 && edge.test(characters[0]!)) characters.shift()
        while (characters.length > 0 && edge.test(characters.at(-1)!)) characters.pop()
        expect(trimEdges(list.join(''), edge)).toBe(characters.join(''))
      }),
    )
  })
})
