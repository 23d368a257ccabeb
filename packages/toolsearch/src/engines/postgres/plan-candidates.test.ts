import { describe, expect, it } from 'vitest'
import type { CandidateWord } from '../candidate-engine.ts'
import { planCandidates } from './plan-candidates.ts'

const word = (term: string, gain: number): CandidateWord => ({
  terms: [{ term, gain, frequency: 0 }],
})

function plan(counts: Record<string, number>, words: readonly CandidateWord[]) {
  return planCandidates(words, (lexeme) => counts[lexeme] ?? 0, { tools: 100_000, budget: 1_000 })
}

describe('planCandidates', () => {
  it('plans nothing if no tool contains a word', () => {
    expect(plan({}, [word('a', 1)])).toBeUndefined()
    expect(plan({}, [])).toBeUndefined()
  })

  it('scores every tool with one of the words if they are few', () => {
    expect(plan({ a: 10, b: 900 }, [word('b', 1), word('a', 2)])?.seeds).toBe(`(('a')|('b'))`)
  })

  it('takes common words only together with others, or where they matter most', () => {
    const counts = { rare: 400, get: 50_000, user: 9_000, '=user': 300, '=get': 20_000 }
    const found = plan(counts, [word('get', 0.5), word('user', 2), word('rare', 5)])
    expect(found?.seeds).toContain(`('rare')`)
    expect(found?.seeds).toContain(`('=user')`)
    expect(found?.seeds).toContain(`(('rare')&('user')&('get'))`)
    expect(found?.seeds).not.toMatch(/\|\('get'\)/)
    expect(found?.words.map(({ terms }) => terms[0]!.term)).toEqual(['rare', 'user', 'get'])
  })

  it('scores some tools with a word that is common everywhere', () => {
    expect(plan({ get: 50_000 }, [word('get', 1)])).toMatchObject({ others: `('get')` })
  })

  it('treats signs of the query language as text', () => {
    const found = plan({ "a'b": 1, 'c\\d': 1 }, [word("a'b", 1), word('c\\d', 1)])
    expect(found?.seeds).toBe(String.raw`(('a''b')|('c\\d'))`)
  })

  it('leaves out terms that cannot be stored', () => {
    expect(plan({ '\0': 5, '': 5 }, [word('\0', 1), word('', 1)])).toBeUndefined()
  })
})
