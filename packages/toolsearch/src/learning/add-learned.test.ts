import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { unified } from '../presets/unified/unified.ts'
import type { WordsQuery } from '../query/query.ts'
import type { Ranking } from '../ranking/ranker.ts'
import { addLearned } from './add-learned.ts'
import type { Recalled } from './judge-evidence.ts'

const catalogue = createCatalogue(
  [...'abcdefghxyz'].map((name) => ({ name: `tool_${name}`, description: name })),
)
const toolOf = (name: string) => catalogue.get(`tool_${name}`)!
const query = unified.readQuery('whatever') as WordsQuery

/** Ranks a to h, with the scores 80 to 10. */
const BASE: Ranking = {
  hits: [...'abcdefgh'].map((name, at) => ({ tool: toolOf(name), score: 80 - 10 * at })),
  confidence: 0.5,
}

const NO_USE = { strength: 0, backed: 0, supporter: undefined, requests: 1, newest: 1 }

function namesWith(uses: Record<string, Partial<Recalled>>, base = BASE): string {
  const recalled = Object.entries(uses).map(([name, found]) => ({
    tool: toolOf(name),
    found: { ...NO_USE, ...found },
  }))
  const { hits } = addLearned(base, recalled, query, { limit: 8, sure: 0.9 })
  expect(hits.map(({ score }) => score)).toEqual(
    hits.map(({ score }) => score).toSorted((a, b) => b - a),
  )
  return hits.map(({ tool }) => tool.name.at(-1)).join('')
}

const byMallory = { strength: 1, supporter: 'mallory' }

describe('addLearned', () => {
  it('lets one other person put one tool among the first five, but not on the first two places', () => {
    expect(namesWith({ x: byMallory })).toBe('abxcdefg')
    expect(namesWith({ x: byMallory, y: byMallory, z: byMallory })).toBe('abxcdefg')
  })

  it('leaves a tool where it was if the person has already put another one in front', () => {
    expect(namesWith({ x: byMallory, c: { strength: 0.1, supporter: 'mallory' } })).toBe('abxcdefg')
  })

  it('lets several people put one tool each', () => {
    const byBen = { strength: 0.9, supporter: 'ben' }
    expect(namesWith({ x: byMallory, y: byMallory, z: byBen })).toBe('abxzcdef')
  })

  it('ranks what two people agree on by its score', () => {
    expect(namesWith({ x: byMallory, h: { ...byMallory, backed: 0.95 } })).toBe('haxbcdef')
  })

  it('fills places that nothing else has', () => {
    expect(namesWith({ x: byMallory }, { hits: [], idealScore: 1 })).toBe('x')
    expect(namesWith({ x: byMallory }, { hits: BASE.hits.slice(0, 1) })).toBe('ax')
  })

  it('adds nothing that one other person alone supports to hits of which the ranker is sure', () => {
    const sure = { ...BASE, confidence: 0.95 }
    expect(namesWith({ x: byMallory, h: byMallory }, sure)).toBe('abcdefgh')
    expect(namesWith({ x: { ...byMallory, backed: 0.9 } }, sure)).toBe('axbcdefg')
  })

  describe('is surer', () => {
    const estimates = (found: Partial<Recalled>) => {
      const { confidence, served } = addLearned(
        { ...BASE, served: 0.5 },
        [{ tool: toolOf('x'), found: { ...NO_USE, ...byMallory, ...found } }],
        query,
        { limit: 5 },
      )
      return { confidence, served }
    }

    it('only because of what more than one other person supports', () => {
      expect(estimates({})).toEqual({ confidence: 0.5, served: 0.5 })
    })

    it('that a tool serves the query, if a learned one is among the first five', () => {
      const { confidence, served } = estimates({ backed: 0.6 })
      expect(served).toBeCloseTo(0.8)
      // The first hit is as doubtful as before.
      expect(confidence).toBe(0.5)
    })

    it('of its first hit, if that was learned', () => {
      const learned = { tool: toolOf('b'), found: { ...NO_USE, backed: 0.6, strength: 0.6 } }
      const { confidence } = addLearned(BASE, [learned], query, { limit: 5 })
      expect(confidence).toBeCloseTo(0.8)
    })
  })
})
