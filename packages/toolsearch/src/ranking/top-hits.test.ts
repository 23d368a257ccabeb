import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { createTopHits } from './top-hits.ts'

describe('createTopHits', () => {
  it('returns the head of a full sort, regardless of the order of the offers', async () => {
    const offer = fc.record({
      name: fc.stringMatching(/^[a-cA-C]{1,3}$/),
      score: fc.integer({ min: 1, max: 4 }),
      place: fc.integer({ min: 0, max: 1_000 }),
    })
    const offers = fc.uniqueArray(offer, { selector: ({ place }) => place, maxLength: 30 })
    const ties = fc.constantFrom('name' as const, 'catalogue' as const)
    await checkProperty(
      fc.property(offers, fc.integer({ min: 0, max: 12 }), ties, (list, limit, ties) => {
        const accepts = ({ name }: { name: string }) => !name.startsWith('B')
        const top = createTopHits({ limit, ties, accepts })
        for (const { name, score, place } of list) {
          top.offer(readDefinition({ name, metadata: { place } }), score, place)
        }
        const expected = list
          .filter(accepts)
          .toSorted((a, b) => {
            const byName = a.name < b.name ? -1 : a.name > b.name ? 1 : 0
            return b.score - a.score || (ties === 'name' ? byName : a.place - b.place)
          })
          .slice(0, limit)
          .map(({ name, score }) => [name, score])
        expect(top.hits().map(({ tool, score }) => [tool.name, score])).toEqual(expected)
      }),
    )
  })

  it('returns nothing for a limit below one', () => {
    for (const limit of [0, -1, 0.5]) {
      const top = createTopHits({ limit, ties: 'name' })
      top.offer(readDefinition({ name: 'a' }), 1, 0)
      expect(top.hits()).toEqual([])
    }
  })

  it('reports the score below which no tool makes the list', () => {
    const top = createTopHits({ limit: 2, ties: 'name' })
    top.offer(readDefinition({ name: 'a' }), 5, 0)
    expect(top.floor()).toBe(0)
    top.offer(readDefinition({ name: 'b' }), 3, 1)
    expect(top.floor()).toBe(3)
    top.offer(readDefinition({ name: 'c' }), 4, 2)
    expect(top.floor()).toBe(4)
  })

  it('calls accepts only for tools that can make the list', () => {
    const checked: string[] = []
    const accepts = ({ name }: { name: string }) => checked.push(name) > 0
    const top = createTopHits({ limit: 1, ties: 'name', accepts })
    top.offer(readDefinition({ name: 'good' }), 5, 0)
    top.offer(readDefinition({ name: 'worse' }), 4, 1)
    top.offer(readDefinition({ name: 'better' }), 6, 2)
    expect(checked).toEqual(['good', 'better'])
    expect(top.hits().map(({ tool }) => tool.name)).toEqual(['better'])
  })

  it('sorts any number of offers without a limit', () => {
    const tools = Array.from({ length: 5_000 }, (_, i) => readDefinition({ name: `tool_${i}` }))
    const top = createTopHits({ limit: Number.POSITIVE_INFINITY, ties: 'catalogue' })
    for (const [place, tool] of tools.entries()) top.offer(tool, place + 1, place)
    const hits = top.hits()
    expect(hits).toHaveLength(5_000)
    expect(hits[0]?.score).toBe(5_000)
  })
})
