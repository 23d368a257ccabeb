import { describe, expect, it } from 'vitest'
import { readDefinition } from '../../catalogue/read-definition.ts'
import { describeRanker, readWords, scoresOf } from '../../ranking/ranker.cases.ts'
import { cortexRanker } from './cortex-ranker.ts'

describe('cortexRanker', () => {
  describeRanker(cortexRanker)

  it.each<[string, number[]]>([
    ['obsidian read', [24, 12, 0]],
    ['vault', [2, 2, 0]],
    ['+slack message', [0, 0, 24]],
    ['note', [12, 6, 0]],
    ['read_note', [3, 0, 0]],
    ['+obsidian +note', [24, 18, 0]],
    ['mcp x', [12, 12, 12]],
  ])('scores %j like cortex', (text, [read, search, post]) => {
    const ranker = cortexRanker()
    for (const definition of [
      { name: 'mcp__obsidian__read_note', description: 'Get one from the vault' },
      { name: 'mcp__obsidian__search_notes', description: 'Look through the vault' },
      { name: 'mcp__slack__post_message', description: 'Post to a channel' },
    ]) {
      ranker.set(readDefinition(definition))
    }
    const scores = new Map(scoresOf(ranker, text))
    expect(scores.get('mcp__obsidian__read_note') ?? 0).toBe(read)
    expect(scores.get('mcp__obsidian__search_notes') ?? 0).toBe(search)
    expect(scores.get('mcp__slack__post_message') ?? 0).toBe(post)
  })

  it.each([
    ['send', { name: 'send_it', description: 'send' }, 'name', 'exact', 10],
    ['send', { name: 'mcp__a__send' }, 'name', 'exact', 12],
    ['sen', { name: 'send_it', description: 'send' }, 'name', 'part', 5],
    ['sen', { name: 'mcp__a__send' }, 'name', 'part', 6],
    ['d_i', { name: 'send_it', description: 'd_i' }, 'name', 'contains', 3],
    ['mail', { name: 'send_it', description: 'By email' }, 'description', 'contains', 2],
  ])(
    'scores %j in %j once, in the highest-weighted place',
    (text, definition, field, match, weight) => {
      const ranker = cortexRanker()
      ranker.set(readDefinition(definition))
      expect(ranker.explain(readWords(text), definition.name)).toEqual([
        { term: text, field, match, weight },
      ])
    },
  )

  it('uses the isMcp flag, not the name', () => {
    const ranker = cortexRanker()
    ranker.set(readDefinition({ name: 'send', source: 'mcp:mail' }))
    ranker.set(readDefinition({ name: 'mcp__a__send', isMcp: false }))
    expect(scoresOf(ranker, 'send')).toEqual([
      ['send', 12],
      ['mcp__a__send', 10],
    ])
  })
})
