import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pickEvenly, readTuningSets } from './tuning-sets.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-tuning-'))

for (const set of ['azure-mcp', 'mcpverse', 'of-a-stranger']) {
  mkdirSync(join(folder, set))
  writeFileSync(join(folder, set, 'tools.jsonl'), '{"name":"a"}')
  const queries = ['1', '2', '3', '4'].map((query) => ({ query, relevant: ['a'] }))
  const lines = [...queries, { query: 'none', relevant: [] }].map((line) => JSON.stringify(line))
  writeFileSync(join(folder, set, 'queries.jsonl'), lines.join('\n'))
}

it('reads the sets of both halves and reports the others', () => {
  const messages: string[] = []
  const report = (message: string) => messages.push(message)
  const only = ['azure-mcp', 'mcpverse', 'metatool']
  const sets = readTuningSets({ folder, count: 2, only, report })
  expect(sets).toMatchObject([
    { name: 'azure-mcp', half: 'one', group: 'english', unserved: [{ query: 'none' }] },
    { name: 'mcpverse', half: 'two', group: 'english', unserved: [{ query: 'none' }] },
  ])
  expect(sets[0]!.queries.map(({ query }) => query)).toEqual(['1', '3'])
  expect(messages).toEqual([
    'of-a-stranger is left out: bench/data/halves.ts does not assign it to a half',
    'metatool is missing',
  ])
})

it('needs a set in each half', () => {
  const read = () => readTuningSets({ folder, count: 2, only: ['azure-mcp'], report: () => {} })
  expect(read).toThrow('Half two has no sets')
})

it.each([
  [['a', 'b', 'c', 'd', 'e'], 2, ['a', 'c']],
  [['a', 'b', 'c'], 2, ['a', 'b']],
  [['a'], 2, ['a']],
])('picks from %j at most %i items at equal distances', (items, count, picked) => {
  expect(pickEvenly(items, count)).toEqual(picked)
})
