import { expect, it } from 'vitest'
import { changedSettings } from './changed-settings.ts'

const compare = (before: unknown, after: unknown) =>
  changedSettings(JSON.stringify(before), JSON.stringify(after))

it('names the settings that differ, without their values', () => {
  const server = { url: 'https://a.example', headers: { Authorization: 'Bearer hunter2' } }
  const found = compare(
    { mcpServers: { a: server, b: {} }, toolsearch: { mode: 'search' } },
    {
      mcpServers: { a: { ...server, headers: { Authorization: 'Bearer hunter3' } }, c: {} },
      toolsearch: { mode: 'search', audit: { days: 7 } },
    },
  )
  expect(found).toEqual({
    added: ['mcpServers.c', 'toolsearch.audit'],
    removed: ['mcpServers.b'],
    changed: ['mcpServers.a.headers.Authorization'],
  })
  expect(JSON.stringify(found)).not.toContain('hunter')
})

it.each([
  ['removed', [1, 2, 3], [1, 3], { removed: ['rules[1]'] }],
  ['added', [1, 3], [1, 2, 3], { added: ['rules[1]'] }],
  ['replaced', [1, 2], [1, 4], { removed: ['rules[1]'], added: ['rules[1]'] }],
  ['removed once of two', [1, 1], [1], { removed: ['rules[1]'] }],
  ['moved', [1, 2], [2, 1], { changed: ['rules'] }],
])('tells which rule was %s', (_, before, after, expected) => {
  const none = { added: [], removed: [], changed: [] }
  expect(compare({ rules: before }, { rules: after })).toEqual({ ...none, ...expected })
})

it('cannot compare what is not JSON', () => {
  expect(changedSettings('{', '{}')).toBeUndefined()
})
