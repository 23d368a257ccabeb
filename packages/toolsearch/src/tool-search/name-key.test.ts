import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { hashNameKey, nameKey } from './name-key.ts'

describe('nameKey', () => {
  it.each([
    [
      'search_graph',
      ['searchGraph', 'SEARCH-GRAPH', 'Search Graph', 'search.graph', '_search__graph_'],
    ],
    ['list_v2', ['listV2', 'LIST-v2', 'list v 2']],
    ['поиск_кода', ['ПоискКода', 'ПОИСК-КОДА']],
    ['café', ['Cafe\u0301', 'CAFÉ']],
    ['search_graph', ['ｓｅａｒｃｈ＿ｇｒａｐｈ']],
  ])('is the same for all spellings of %s', (name, spellings) => {
    for (const spelling of spellings) {
      expect(nameKey(spelling)).toBe(nameKey(name))
      expect(hashNameKey(spelling)).toBe(hashNameKey(name))
    }
  })

  it.each([
    ['search_graph', 'search_graphs'],
    ['get_v1.1', 'get_v11'],
    ['get_v1_10', 'get_v11_0'],
    ['cafe', 'café'],
  ])('is different for %s and %s', (first, second) => {
    expect(nameKey(first)).not.toBe(nameKey(second))
    expect(hashNameKey(first)).not.toBe(hashNameKey(second))
  })

  it('is empty if there are neither letters nor digits', () => {
    expect(nameKey('->!')).toBe('')
  })
})

describe('hashNameKey', () => {
  it('agrees with the key, which it builds only for names that are not ASCII', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'aZ09_-. /(') })
    await checkProperty(
      fc.property(text, (name) => {
        expect(hashNameKey(`${name}…`)).toBe(hashNameKey(name))
        expect(hashNameKey(nameKey(name))).toBe(hashNameKey(name))
      }),
    )
  })
})
