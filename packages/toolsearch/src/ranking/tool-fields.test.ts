import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { JsonSchema } from '../catalogue/tool.ts'
import { localName, toolFields } from './tool-fields.ts'

describe('toolFields', () => {
  it('returns the texts of a tool by field', () => {
    const tool = readDefinition({
      name: 'mcp__github__create_issue',
      title: 'New issue',
      description: 'Opens an issue',
      searchHint: 'bug ticket',
      tags: ['tracker', 'write'],
      inputSchema: {
        type: 'object',
        description: 'not a parameter',
        properties: { repo: { type: 'string', description: 'Owner and name' } },
      },
      metadata: { secret: 'never searched' },
    })
    expect(toolFields(tool)).toEqual([
      { field: 'name', kind: 'name', text: 'create_issue New issue' },
      { field: 'source', kind: 'source', text: 'github' },
      { field: 'hint', kind: 'hint', text: 'bug ticket tracker write' },
      { field: 'description', kind: 'description', text: 'Opens an issue' },
      { field: 'parameters', kind: 'parameterName', text: 'repo' },
      { field: 'parameters', kind: 'parameterDescription', text: 'Owner and name' },
    ])
  })

  it.each([
    ['builtin', ''],
    ['plugin', ''],
    ['plugin:calendar', 'calendar'],
    ['client:editor', 'editor'],
    ['mcp:a:b', 'a:b'],
  ])('reads the source %s as the words %j', (source, words) => {
    const tool = readDefinition({ name: 'a', source })
    expect(toolFields(tool).find(({ kind }) => kind === 'source')?.text).toBe(words)
  })

  it('reads parameters anywhere in a schema', () => {
    const { names, descriptions } = parameters({
      type: 'object',
      properties: {
        owner: {
          type: 'object',
          description: 'Who',
          properties: { login: { type: 'string', description: 'Account' } },
        },
        labels: {
          type: 'array',
          items: { description: 'Tag', properties: { colour: { enum: ['red', 'green', 7] } } },
        },
        when: { anyOf: [{ description: 'Date' }, { properties: { week: {} } }] },
        how: { oneOf: [{ description: 'Fast' }] },
        why: { allOf: [{ description: 'Reason' }] },
      },
      $defs: { Team: { description: 'Group', properties: { members: {} } } },
    })
    expect(names).toBe('owner login labels colour when week how why members')
    expect(descriptions).toBe('Who Account Tag red green Date Fast Reason Group')
  })

  it('reads `definitions`, the keyword of drafts before 2019-09', () => {
    const { names } = parameters({
      properties: { team: { $ref: '#/definitions/Team' } },
      definitions: { Team: { properties: { members: {} } } },
    })
    expect(names).toBe('team members')
  })

  it('accepts boolean schemas', () => {
    expect(parameters({ properties: { a: true, b: false }, items: true }).names).toBe('a b')
  })

  it('ignores descriptions that are not strings', () => {
    const { descriptions } = parameters({ properties: { a: { description: 7 }, b: {} } })
    expect(descriptions).toBe('')
  })

  it('reads the beginning of a huge schema', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`parameter_${i}`, { description: 'many words' }]),
    )
    const { names, descriptions } = parameters({ properties })
    expect(names.startsWith('parameter_0 parameter_1 parameter_2 ')).toBe(true)
    expect(names.length + descriptions.length).toBeLessThan(7_000)
  })

  it('reads the beginning of a huge parameter', () => {
    const { names, descriptions } = parameters({
      properties: { first: { description: 'word '.repeat(200_000) }, second: {} },
    })
    expect(names).toContain('first')
    expect(descriptions.startsWith('word word')).toBe(true)
    expect(descriptions.length).toBeLessThanOrEqual(5_000)
  })

  it('reads a deep schema up to a maximum depth', () => {
    let schema: JsonSchema = { properties: { deepest: {} } }
    for (let level = 50; level > 0; level--) schema = { properties: { [`level${level}`]: schema } }
    const { names } = parameters(schema)
    expect(names.startsWith('level1 level2 level3')).toBe(true)
    expect(names).not.toContain('deepest')
  })
})

describe('localName', () => {
  it.each([
    [{ name: 'mcp__github__create_issue' }, 'create_issue'],
    [{ name: 'mcp_github__create_issue' }, 'create_issue'],
    [{ name: 'mcp__my_server__a__b' }, 'a__b'],
    [{ name: 'create_issue', source: 'mcp:github' }, 'create_issue'],
    [{ name: 'mcp__github__create_issue', isMcp: false }, 'mcp__github__create_issue'],
    [{ name: 'mcp__github__', isMcp: true }, 'mcp__github__'],
    [{ name: 'github__create', isMcp: true }, 'github__create'],
  ])('returns the name of %j without its server prefix: %s', (definition, name) => {
    expect(localName(readDefinition(definition))).toBe(name)
  })
})

function parameters(inputSchema: JsonSchema): { names: string; descriptions: string } {
  const fields = toolFields(readDefinition({ name: 'a', inputSchema }))
  const textOf = (kind: string) => fields.find((field) => field.kind === kind)?.text ?? ''
  return { names: textOf('parameterName'), descriptions: textOf('parameterDescription') }
}
