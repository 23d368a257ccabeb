import { createToolSearch } from 'toolsearch'
import { expect, it } from 'vitest'
import { measureSuggestions } from './measure-suggestions.ts'

it('counts missed queries, their suggestions, and those that find a relevant tool', () => {
  const { catalogue } = createToolSearch({
    tools: [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => ({
        name,
        description: 'Grow a branch in a nest',
      })),
      { name: 'prune_tree', description: 'Cut branches with a saw' },
      { name: 'prune_hedge', description: 'Cut branches with a saw' },
      ...Array.from({ length: 20 }, (_, at) => ({ name: `other_${at}`, description: 'Nothing' })),
    ],
  })
  const queries = [
    { query: 'grow a branch in the nest of a tree', relevant: ['prune_hedge', 'prune_tree'] },
    { query: 'grow a branch in the nest', relevant: ['a'] },
    { query: 'xyzzy', relevant: ['b'] },
    { query: 'tree', relevant: [] },
  ]
  expect(measureSuggestions(catalogue.tools(), queries, {})).toEqual({
    missed: 2,
    suggested: 1,
    found: 1,
  })
})
