import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import { chooseByNeed } from './choose-by-need.ts'
import type { Ranking } from './ranker.ts'

const tools = new Map('abcdefgh'.split('').map((name) => [name, readDefinition({ name })]))

function rankingOf(scores: Readonly<Record<string, number>>): Ranking {
  const hits = Object.entries(scores).map(([name, score]) => ({ tool: tools.get(name)!, score }))
  return { hits: hits.sort((a, b) => b.score - a.score) }
}

const namesIn = (choices: readonly { tool: { name: string } }[]) =>
  choices.map(({ tool }) => tool.name)

describe('chooseByNeed', () => {
  it('gives each need a place, although one of them dominates the whole query', () => {
    const whole = rankingOf({ a: 10, b: 9.5, c: 9, d: 5 })
    const needs = [rankingOf({ a: 4, b: 3.9, c: 3.8 }), rankingOf({ d: 7, a: 0.1 })]
    expect(namesIn(chooseByNeed(whole, needs, 4))).toEqual(['a', 'b', 'd', 'c'])
  })

  it('finds a tool that only the ranking of a need contains', () => {
    const choices = chooseByNeed(rankingOf({ a: 1 }), [rankingOf({ b: 5 })], 5)
    expect(namesIn(choices)).toEqual(['a', 'b'])
  })

  it('keeps the scale of the whole ranking', () => {
    const [best] = chooseByNeed(rankingOf({ a: 40, b: 4 }), [rankingOf({ a: 3 })], 2)
    expect(best!.score).toBeCloseTo(40, 9)
  })

  it('returns nothing for a limit of 0 or without hits', () => {
    expect(chooseByNeed(rankingOf({ a: 1 }), [rankingOf({ a: 1 })], 0)).toEqual([])
    expect(chooseByNeed(rankingOf({}), [rankingOf({})], 5)).toEqual([])
  })

  const scores = fc.dictionary(
    fc.constantFrom(...tools.keys()),
    fc.double({ min: 0.01, max: 10, noNaN: true }),
  )

  it('never increases the score from one choice to the next, and never repeats a tool', async () => {
    await checkProperty(
      fc.property(scores, fc.array(scores, { minLength: 1, maxLength: 4 }), (whole, needs) => {
        const choices = chooseByNeed(rankingOf(whole), needs.map(rankingOf), 100)
        const names = new Set([whole, ...needs].flatMap(Object.keys))
        expect(new Set(namesIn(choices))).toEqual(names)
        expect(choices).toHaveLength(names.size)
        for (const [at, { score }] of choices.entries()) {
          if (at > 0) expect(score).toBeLessThanOrEqual(choices[at - 1]!.score + 1e-9)
        }
      }),
    )
  })

  it('returns the same first choices however deep the rankings are', () => {
    const many = Array.from({ length: 80 }, (_, at) => readDefinition({ name: `tool_${at}` }))
    const whole = { hits: many.map((tool, at) => ({ tool, score: 100 - at })) }
    const need = { hits: many.toReversed().map((tool, at) => ({ tool, score: 50 - at / 4 })) }
    const cut = ({ hits }: Ranking, limit: number) => ({ hits: hits.slice(0, limit) })
    const all = chooseByNeed(whole, [need], 100)
    expect(all).toHaveLength(80)
    const scores = all.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const limit of [5, 20, 50]) {
      const some = chooseByNeed(
        cut(whole, Math.max(limit, 40)),
        [cut(need, Math.max(limit, 12))],
        limit,
      )
      expect(some).toEqual(all.slice(0, limit))
    }
  })

  it('returns the same first choices whatever the limit', async () => {
    await checkProperty(
      fc.property(scores, scores, fc.nat(8), (whole, need, limit) => {
        const all = chooseByNeed(rankingOf(whole), [rankingOf(need)], 100)
        const some = chooseByNeed(rankingOf(whole), [rankingOf(need)], limit)
        expect(some).toEqual(all.slice(0, limit))
      }),
    )
  })
})
