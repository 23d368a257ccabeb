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
  ])('looks for %j in %s and returns %s', (required, scope, expected) => {
    const tool = readDefinition({
      name: 'mcp__GitHub__create_issue',
      description: 'Opens a TICKET',
      searchHint: 'Bug report',
    })
    expect(hasRequiredTerms(tool, required, scope)).toBe(expected)
  })

  it('finds words in other scripts', () => {
    const tool = readDefinition({ name: 'a', description: '查询天气 ПОГОДА Größe' })
    for (const word of ['天气', 'погода', 'größe']) {
      expect(hasRequiredTerms(tool, [word], 'name+description')).toBe(true)
    }
  })

  it('accepts a tool without a hint', () => {
    const tool = readDefinition({ name: 'a' })
    expect(hasRequiredTerms(tool, ['undefined'], 'name+description+hint')).toBe(false)
  })
})
