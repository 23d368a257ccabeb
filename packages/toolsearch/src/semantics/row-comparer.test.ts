import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import {
  createRowComparer,
  GROUP_ROWS,
  plainRowComparer,
  type RowComparer,
} from './row-comparer.ts'

/** Writes the query and the groups to memory and reads the results. */
function results(comparer: RowComparer, query: number[], rows: number[], scales: number[]) {
  const groupsAt = 4_096
  const groupBytes = GROUP_ROWS * (4 + query.length)
  const count = scales.length / GROUP_ROWS
  comparer.memory.grow(1)
  const { buffer } = comparer.memory
  new Int16Array(buffer).set(query)
  for (let group = 0; group < count; group++) {
    const at = groupsAt + group * groupBytes
    const size = GROUP_ROWS * query.length
    new Float32Array(buffer, at).set(scales.slice(group * GROUP_ROWS, (group + 1) * GROUP_ROWS))
    new Int8Array(buffer, at + 4 * GROUP_ROWS).set(rows.slice(group * size, (group + 1) * size))
  }
  const groupsEnd = groupsAt + count * groupBytes
  comparer.compare(groupsAt, groupsEnd, 2_048, 2 * query.length, 0.001)
  return new Float32Array(buffer, 2_048, scales.length).slice()
}

describe('createRowComparer', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('uses WebAssembly', () => {
    expect(String(createRowComparer().memory)).toBe('[object WebAssembly.Memory]')
  })

  it.each([
    ['missing', undefined],
    ['forbidden', { Module: refuse, Instance: refuse }],
  ])('falls back to JavaScript if WebAssembly is %s', (_, stub) => {
    vi.stubGlobal('WebAssembly', stub)
    const { memory } = createRowComparer()
    expect(String(memory)).toBe('[object Object]')
  })

  it('computes the dot product of each row with the query, and 0 if it is negative', () => {
    const rows = [
      ...Array.from({ length: GROUP_ROWS }, (_, row) => [row, 1]).flat(),
      ...Array.from({ length: GROUP_ROWS }, () => [0, 0]).flat(),
    ]
    const scales = Array.from({ length: GROUP_ROWS }, () => 1_000)
    for (const comparer of [createRowComparer(), plainRowComparer()]) {
      const found = results(comparer, [10, -30, 0, 0], rows, scales)
      expect([...found].map(Math.round)).toEqual([
        ...[0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120],
      ])
    }
  })

  it('returns exactly the same numbers with and without WebAssembly', async () => {
    const numbers = (count: number, most: number) =>
      fc.array(fc.integer({ min: -most, max: most }), { minLength: count, maxLength: count })
    const cases = fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4 }))
      .chain(([fours, groups]) =>
        fc.record({
          query: numbers(4 * fours, 32_767),
          rows: numbers(4 * fours * groups * GROUP_ROWS, 127),
          scales: fc.array(fc.float({ noNaN: true, min: 0, max: 1 }), {
            minLength: groups * GROUP_ROWS,
            maxLength: groups * GROUP_ROWS,
          }),
        }),
      )
    await checkProperty(
      fc.property(cases, ({ query, rows, scales }) => {
        const [one, other] = [createRowComparer(), plainRowComparer()].map((comparer) =>
          results(comparer, query, rows, scales),
        )
        expect(one).toEqual(other)
      }),
    )
  })
})

function refuse(): never {
  throw new Error('forbidden by policy')
}
