import { expect, it } from 'vitest'
import type { ToolLine } from '../../api/contract.ts'
import { filterTools } from './filter-tools.ts'

const line = (name: string, given: Partial<ToolLine> = {}): ToolLine => ({
  name,
  server: 'a',
  summary: '',
  tokens: 100,
  effect: 'read',
  isChanged: false,
  isPinned: false,
  ...given,
})
const tools = [
  line('a__x'),
  line('a__y', { effect: 'destructive', tokens: 900, isPinned: true }),
  line('b__z', { server: 'b', tokens: 400, isChanged: true, withheld: 'changed' }),
]
const names = (filter: Parameters<typeof filterTools>[1]) =>
  filterTools(tools, filter, new Set(['a__x'])).map(({ name }) => name)

it.each([
  [{}, ['a__x', 'a__y', 'b__z']],
  [{ server: 'b' }, ['b__z']],
  [{ effect: 'destructive' }, ['a__y']],
  [{ cost: '400' }, ['a__y', 'b__z']],
  [{ state: 'pinned' }, ['a__y']],
  [{ state: 'changed' }, ['b__z']],
  [{ state: 'withheld' }, ['b__z']],
  [{ state: 'issues' }, ['a__x']],
  [{ sort: 'tokens' }, ['a__y', 'b__z', 'a__x']],
  [{ sort: 'server', effect: 'read' }, ['a__x', 'b__z']],
  [{ cost: 'nonsense', sort: 'nonsense', state: 'nonsense' }, ['a__x', 'a__y', 'b__z']],
])('filters and sorts by %j', (filter, expected) => {
  expect(names(filter)).toEqual(expected)
})
