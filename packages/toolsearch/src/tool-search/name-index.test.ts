import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { createNameIndex, serverKeys, withoutServer } from './name-index.ts'

describe('createNameIndex', () => {
  it('finds names in any spelling, in the order in which they were added', () => {
    const index = createNameIndex()
    for (const name of ['mcp__b__create_issue', 'createIssue', 'mcp__a__create_issue'])
      index.add(name)
    index.add('createIssue')
    expect(index.find('CREATE-ISSUE')).toEqual([
      'mcp__b__create_issue',
      'createIssue',
      'mcp__a__create_issue',
    ])
    expect(index.find('create_issues')).toEqual([])
  })

  it('forgets deleted names', () => {
    const index = createNameIndex()
    for (const name of ['a_b', 'aB', 'c_d']) index.add(name)
    for (const name of ['a_b', 'never_added', 'c_d']) index.delete(name)
    expect(index.find('a_b')).toEqual(['aB'])
    expect(index.find('c_d')).toEqual([])
    index.delete('aB')
    index.add('a-b')
    expect(index.find('a_b')).toEqual(['a-b'])
  })

  it('finds nothing for a text without letters and digits', () => {
    const index = createNameIndex()
    index.add('->')
    expect(index.find('->')).toEqual([])
  })
})

describe('withoutServer', () => {
  it.each([
    ['mcp__github__create_issue', 'create_issue'],
    ['mcp_github__create_issue', 'create_issue'],
    ['github__create_issue', 'create_issue'],
    ['mcp__a__b__c', 'b__c'],
    ['create_issue', 'create_issue'],
    ['mcp__github', 'mcp__github'],
    ['github__', 'github__'],
    ['__init', '__init'],
  ])('turns %s into %s', (name, local) => {
    expect(withoutServer(name)).toBe(local)
  })
})

describe('serverKeys', () => {
  it('come from the source and from the name', () => {
    const keys = (definition: object) => serverKeys(readDefinition({ name: 'x', ...definition }))
    expect(keys({ source: 'mcp:Git-Hub' })).toEqual(['github'])
    expect(keys({ name: 'hub__list', source: 'mcp:github' })).toEqual(['github', 'hub'])
    expect(keys({ name: 'list' })).toEqual([])
  })
})
