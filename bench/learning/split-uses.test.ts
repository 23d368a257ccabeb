import { expect, it } from 'vitest'
import { requestsByTool, splitBothWays } from './split-uses.ts'

const queries = [
  ...Array.from({ length: 6 }, (_, at) => ({ query: `refund ${'abcdef'[at]}`, relevant: ['pay'] })),
  { query: 'Refunds f', relevant: ['pay'] },
  { query: 'write home', relevant: ['mail'] },
  { query: 'post a letter', relevant: ['mail'] },
  { query: 'sole request', relevant: ['lonely'] },
  { query: 'no tool', relevant: [] },
]

it('keeps tools with several requests, and one of those with the same words', () => {
  const groups = requestsByTool(queries, { count: 100, perTool: 4 })
  expect(groups.map((group) => group.length)).toEqual([4, 2])
  expect(requestsByTool(queries, { count: 100, perTool: 10 })[0]).toHaveLength(6)
})

it('uses and measures each request once, and never both at a time', () => {
  const groups = requestsByTool(queries, { count: 100, perTool: 10 })
  const ways = splitBothWays(groups, 1)
  expect(ways.flatMap(({ measured }) => measured)).toHaveLength(groups.flat().length)
  expect(new Set(ways.flatMap(({ measured }) => measured)).size).toBe(groups.flat().length)
  for (const { used, measured } of ways) {
    expect(used.filter((query) => measured.includes(query))).toEqual([])
    expect(new Set(used.map(({ relevant }) => relevant[0]))).toEqual(new Set(['pay', 'mail']))
  }
  expect(splitBothWays(groups, 1)).toEqual(ways)
  expect(splitBothWays(groups, 2)).not.toEqual(ways)
})
