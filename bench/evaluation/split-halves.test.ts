import { describe, expect, it } from 'vitest'
import { splitHalves } from './split-halves.ts'

const queries = ['user', 'agent'].flatMap((kind) =>
  Array.from({ length: 21 }, (_, at) => ({ query: `${kind} ${at}`, kind, relevant: [] })),
)

describe('splitHalves', () => {
  it('divides each kind equally', () => {
    const halves = [...splitHalves(queries)].filter(([query]) => query.startsWith('user'))
    expect(halves.filter(([, half]) => half === 'a')).toHaveLength(11)
    expect(halves.filter(([, half]) => half === 'b')).toHaveLength(10)
  })

  it('does not depend on the order of the queries', () => {
    const halves = splitHalves(queries)
    const reversed = splitHalves(queries.toReversed())
    expect(queries.filter(({ query }) => halves.get(query) !== reversed.get(query))).toEqual([])
  })

  it('moves at most one query when another is added', () => {
    const before = splitHalves(queries)
    const after = splitHalves([...queries, { query: 'one more', kind: 'user', relevant: [] }])
    const moved = queries.filter(({ query }) => before.get(query) !== after.get(query))
    expect(moved.length).toBeLessThanOrEqual(1)
  })
})
