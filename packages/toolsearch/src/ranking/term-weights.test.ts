import { describe, expect, it } from 'vitest'
import { createTermWeights } from './term-weights.ts'

describe('createTermWeights', () => {
  it('adds up the weights of each term, in order of first occurrence', () => {
    const document = createTermWeights()
    for (const [term, weight] of [
      [900, 1],
      [3, 2],
      [900, 0.5],
    ] as const) {
      document.add(term, weight)
    }
    expect(entries(document)).toEqual([
      [900, 1.5],
      [3, 2],
    ])
  })

  it('starts each document without terms', () => {
    const document = createTermWeights()
    for (let term = 0; term < 200; term++) document.add(term, 1)
    document.clear()
    document.add(7, 2)
    expect(entries(document)).toEqual([[7, 2]])
  })

  it('marks a term as part of the name once, by a negative weight', () => {
    const document = createTermWeights()
    document.add(7, 2)
    expect([document.markAsName(7), document.markAsName(7)]).toEqual([true, false])
    expect([document.markAsName(8), document.markAsName(5_000)]).toEqual([false, false])
    expect(entries(document)).toEqual([[7, -2]])
  })
})

function entries({ count, terms, weights }: ReturnType<typeof createTermWeights>) {
  return Array.from({ length: count }, (_, at) => [terms[at], weights[at]])
}
