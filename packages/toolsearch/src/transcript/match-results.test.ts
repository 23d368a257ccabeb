import { describe, expect, it } from 'vitest'
import { call, entriesOf, result } from './entries.fixtures.ts'
import type { Entry } from './entry.ts'
import { matchResults } from './match-results.ts'

/** The index of the entry with the result of each call, in the order of the calls. */
function placesIn(entries: readonly Entry[], options?: { mayPrecede: boolean }) {
  const { results, orphans } = matchResults(entries, options)
  const calls = entries.flatMap(({ parts }) => parts.filter((part) => part.type === 'call'))
  return {
    results: calls.map((one) => results.get(one)?.entry.at),
    orphans: orphans.map(({ entry }) => entry.at),
  }
}

describe('matchResults', () => {
  it('takes the first result after the call', () => {
    const entries = entriesOf(
      ['tool', result('1')],
      ['assistant', call('a', '1')],
      ['tool', result('1')],
      ['tool', result('1')],
    )
    expect(placesIn(entries)).toEqual({ results: [2], orphans: [0, 3] })
  })

  it('takes a result before the call only if that is allowed and there is no other', () => {
    const early = entriesOf(['tool', result('1')], ['assistant', call('a', '1')])
    expect(placesIn(early, { mayPrecede: true })).toEqual({ results: [0], orphans: [] })
    expect(placesIn(early)).toEqual({ results: [undefined], orphans: [0] })
    const both = entriesOf(
      ['tool', result('1')],
      ['assistant', call('a', '1')],
      ['tool', result('1')],
    )
    expect(placesIn(both, { mayPrecede: true })).toEqual({ results: [2], orphans: [0] })
  })

  it('gives an id that is used again to the last call before the result', () => {
    const entries = entriesOf(
      ['assistant', call('a', '1')],
      ['tool', result('1')],
      ['assistant', call('a', '1')],
      ['assistant', call('b', '2')],
      ['tool', result('2')],
      ['tool', result('1')],
    )
    expect(placesIn(entries)).toEqual({ results: [1, 5, 4], orphans: [] })
  })

  it('matches by name and order without ids, up to the next calls', () => {
    const entries = entriesOf(
      ['assistant', call('a'), call('b'), call('a')],
      ['user', result(undefined, 'a'), result(undefined, 'b')],
      ['assistant', call('c')],
      ['user', result(undefined, 'a')],
    )
    expect(placesIn(entries)).toEqual({ results: [1, 1, undefined, undefined], orphans: [3] })
  })

  it('distinguishes a search from a call with the same id', () => {
    const entries = entriesOf(
      ['assistant', { ...call('tool_search', '1'), search: 'own' }, call('a', '1')],
      ['tool', result('1')],
      ['tool', { ...result('1'), search: 'own' }],
    )
    expect(placesIn(entries)).toEqual({ results: [2, 1], orphans: [] })
  })
})
