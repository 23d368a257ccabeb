import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { hasRequiredTerms, type RequiredScope } from './has-required-terms.ts'

describe('hasRequiredTerms', () => {
  it.each<[string[], RequiredScope, boolean]>([
    [[], 'name', true],
    [['github'], 'name', true],
    [['git'], 'name', true],
    [['create_issue'], 'name', true],
    [['ticket'], 'name', false],
    [['ticket'], 'name+description', true],
    [['ticket'], 'name+description+hint', true],
    [['bug'], 'name', false],
    [['bug'], 'name+description', false],
    [['bug'], 'name+description+hint', true],
    [['github', 'issue'], 'name', true],
    [['github', 'ticket'], 'name', false],
    [['github', 'ticket'], 'name+description', true],
    [['github', 'ticket', 'bug'], 'name+description+hint', true],
    [['github', 'missing'], 'name+description+hint', false],
    [['issueopens'], 'name+description+hint', false],
    [['creator'], 'name+description+hint', false],
    [['creator'], 'all', true],
    [['planning'], 'name+description+hint', false],
    [['planning'], 'all', true],
    [['octo'], 'name+description+hint', false],
    [['octo'], 'all', true],
    [['github', 'ticket', 'bug', 'creator', 'planning', 'octo'], 'all', true],
    [['missing'], 'all', false],
  ])('looks for %j in %s and returns %s', (required, scope, expected) => {
    const tool = readDefinition({
      name: 'mcp__GitHub__create_issue',
      description: 'Opens a TICKET',
      searchHint: 'Bug report',
      title: 'Issue Creator',
      tags: ['Work', 'Planning'],
      source: 'mcp:OctoHub',
    })
    expect(hasRequiredTerms(tool, required, scope)).toBe(expected)
  })

  it('finds words in other scripts', () => {
    const tool = readDefinition({ name: 'a', description: '查询天气 ПОГОДА Größe' })
    for (const word of ['天气', 'погода', 'größe']) {
      expect(hasRequiredTerms(tool, [word], 'name+description')).toBe(true)
    }
  })

  it.each(['mcp:github', 'plugin:github', 'client:github'] as const)(
    'finds the name of the source %s, but not its kind',
    (source) => {
      const tool = readDefinition({ name: 'create_issue', source })
      expect(hasRequiredTerms(tool, ['github'], 'all')).toBe(true)
      expect(hasRequiredTerms(tool, [source.split(':')[0]!], 'all')).toBe(false)
    },
  )

  it('accepts a tool without a hint', () => {
    const tool = readDefinition({ name: 'a' })
    expect(hasRequiredTerms(tool, ['undefined'], 'name+description+hint')).toBe(false)
  })
})
