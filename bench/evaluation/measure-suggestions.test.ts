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
      ...['hedge', 'rose', 'vine'].map((plant) => ({
        name: `prune_${plant}`,
        description: 'Cut branches with a saw',
      })),
      ...Array.from({ length: 20 }, (_, at) => ({ name: `other_${at}`, description: 'Nothing' })),
    ],
  })
  const queries = [
    { query: 'grow a branch in the nest and saw', relevant: ['prune_hedge'] },
    { query: 'grow a branch in the nest', relevant: ['a'] },
    { query: 'xyzzy', relevant: ['b'] },
    { query: 'saw', relevant: [] },
  ]
  expect(measureSuggestions(catalogue.tools(), queries, {})).toEqual({
    missed: 2,
    suggested: 1,
    found: 1,
  })
})
