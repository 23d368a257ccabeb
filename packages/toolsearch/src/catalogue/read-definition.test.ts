import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../testing/any-character.ts'
import { checkProperty } from '../../../../testing/deep.ts'
import { InvalidToolError } from './catalogue-errors.ts'
import { readDefinition } from './read-definition.ts'

describe('readDefinition', () => {
  it('keeps all fields of a definition', () => {
    const definition = {
      name: 'create_issue',
      title: 'Create an issue',
      description: 'Opens an issue in a repository',
      inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
      outputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
      source: 'mcp:github',
      isMcp: true,
      searchHint: 'bug ticket',
      tags: ['github', 'write'],
      annotations: { readOnlyHint: false, destructiveHint: false },
      loading: 'deferred',
      metadata: { owner: 'team-a', nested: { any: ['thing'] } },
      execute: () => 'done',
      execution: 'sequential',
    }
    expect(readDefinition(definition)).toEqual({ ...definition, problems: [] })
  })

  it('fills in defaults', () => {
    expect(readDefinition({ name: 'ping' })).toEqual({
      name: 'ping',
      description: '',
      inputSchema: { type: 'object', properties: {} },
      source: 'builtin',
      isMcp: false,
      tags: [],
      annotations: {},
      loading: 'auto',
      execution: 'parallel',
      metadata: {},
      problems: [],
    })
  })

  it.each([
    'title',
    'description',
    'inputSchema',
    'outputSchema',
    'source',
    'isMcp',
    'searchHint',
    'tags',
    'annotations',
    'loading',
    'metadata',
    '_meta',
  ])('treats null and undefined for %s as absent', (field) => {
    const bare = readDefinition({ name: 'ping' })
    expect(readDefinition({ name: 'ping', [field]: undefined })).toEqual(bare)
    expect(readDefinition({ name: 'ping', [field]: null })).toEqual(bare)
  })

  it('ignores unknown fields', () => {
    const tool = readDefinition({ name: 'ping', handler: () => 1, version: 2 })
    expect(tool).toEqual(readDefinition({ name: 'ping' }))
  })

  it('returns a frozen object', () => {
    expect(Object.isFrozen(readDefinition({ name: 'ping' }))).toBe(true)
  })

  it('accepts an entry of an MCP tools/list result unchanged', () => {
    const entry = JSON.parse(`{
      "name": "get_forecast",
      "title": "Forecast",
      "description": "Weather for the next days",
      "inputSchema": { "type": "object", "properties": { "city": { "type": "string" } } },
      "annotations": { "readOnlyHint": true, "openWorldHint": true },
      "icons": [{ "src": "https://example.org/sun.png" }],
      "_meta": { "anthropic/alwaysLoad": true, "anthropic/searchHint": "rain sun", "other": 1 }
    }`)
    expect(readDefinition({ ...entry, source: 'mcp:weather' })).toMatchObject({
      title: 'Forecast',
      isMcp: true,
      searchHint: 'rain sun',
      loading: 'eager',
      annotations: { readOnlyHint: true, openWorldHint: true },
      metadata: { 'anthropic/alwaysLoad': true, other: 1 },
    })
  })

  it('merges metadata and _meta', () => {
    const { metadata } = readDefinition({ name: 'a', _meta: { x: 1, y: 1 }, metadata: { y: 2 } })
    expect(metadata).toEqual({ x: 1, y: 2 })
  })
})

describe('readDefinition: schemas that no validator can compile', () => {
  it('keeps the schema unchanged and lists what is wrong with it', () => {
    const inputSchema = {
      type: 'dict',
      properties: {
        size: { type: 'float', required: true },
        at: { type: 'string', pattern: '(?P<year>\\d+)' },
        owner: { $ref: '#/$defs/Owner' },
      },
    }
    const outputSchema = { type: 'tuple' }
    const tool = readDefinition({ name: 'a', inputSchema, outputSchema })
    expect(tool.inputSchema).toBe(inputSchema)
    expect(tool.outputSchema).toBe(outputSchema)
    expect(tool.problems).toEqual([
      {
        path: 'inputSchema.type',
        problem: 'is "dict", which is not a JSON Schema type',
        fix: 'use "object"',
      },
      {
        path: 'inputSchema.properties.size.type',
        problem: 'is "float", which is not a JSON Schema type',
        fix: 'use "number"',
      },
      {
        path: 'inputSchema.properties.at.pattern',
        problem: 'is not a valid regular expression: "(?P<year>\\\\d+)"',
        fix: 'use JavaScript syntax (ECMA-262), or remove it',
      },
      {
        path: 'inputSchema.properties.owner.$ref',
        problem: 'cannot be resolved: #/$defs/Owner',
        fix: 'add the definition, or remove the reference',
      },
      {
        path: 'outputSchema.type',
        problem: 'is "tuple", which is not a JSON Schema type',
        fix: 'use "array"',
      },
    ])
  })
})

describe('readDefinition: source', () => {
  it.each([
    ['mcp__github__create_issue', 'mcp:github', true],
    ['mcp_github__create_issue', 'mcp:github', true],
    ['mcp__my_server__do_it', 'mcp:my_server', true],
    ['mcp__git-hub.v2__a__b', 'mcp:git-hub.v2', true],
    ['mcp__github', 'builtin', false],
    ['mcp__github__', 'builtin', false],
    ['mcp_github_create_issue', 'builtin', false],
    ['mcpx__github__create', 'builtin', false],
    ['my_mcp__github__create', 'builtin', false],
    ['MCP__github__create', 'builtin', false],
    ['read_file', 'builtin', false],
  ])('derived from the name %s is %s', (name, source, isMcp) => {
    expect(readDefinition({ name })).toMatchObject({ source, isMcp })
  })

  it.each(['builtin', 'plugin', 'client', 'plugin:git', 'client:editor'])(
    'can be %s, which does not count as MCP',
    (source) => {
      expect(readDefinition({ name: 'mcp__a__b', source })).toMatchObject({ source, isMcp: false })
    },
  )

  it('does not depend on isMcp', () => {
    expect(readDefinition({ name: 'a', isMcp: true })).toMatchObject({
      source: 'builtin',
      isMcp: true,
    })
    expect(readDefinition({ name: 'mcp__a__b', isMcp: false }).isMcp).toBe(false)
  })
})

describe('readDefinition: MCP metadata', () => {
  it.each([
    [{ 'anthropic/alwaysLoad': true }, undefined, 'eager'],
    [{ 'anthropic/alwaysLoad': false }, undefined, 'auto'],
    [{ 'anthropic/alwaysLoad': 'true' }, undefined, 'auto'],
    [{ 'anthropic/alwaysLoad': true }, 'deferred', 'deferred'],
    [{ 'anthropic/alwaysLoad': true }, 'auto', 'auto'],
    [{}, 'eager', 'eager'],
  ])('%j with loading %j results in %s', (_meta, loading, expected) => {
    expect(readDefinition({ name: 'a', _meta, loading }).loading).toBe(expected)
  })

  it.each([
    [{ 'anthropic/searchHint': 'rain' }, undefined, 'rain'],
    [{ 'anthropic/searchHint': 'rain' }, 'sun', 'sun'],
    [{ 'anthropic/searchHint': 7 }, undefined, undefined],
    [{}, undefined, undefined],
  ])('%j with hint %j results in the hint %j', (_meta, searchHint, expected) => {
    expect(readDefinition({ name: 'a', _meta, searchHint }).searchHint).toBe(expected)
  })
})

describe('readDefinition: name', () => {
  it.each([
    ['one character', 'a'],
    ['128 letters', 'a'.repeat(128)],
    ['128 emoji, twice as many code units', '😀'.repeat(128)],
    ['Chinese', '读取文件'],
    ['Arabic', 'اقرأ_الملف'],
    ['Hindi', 'फ़ाइल_पढ़ें'],
    ['spaces and punctuation', 'read file (fast), "now"!'],
    ['a joined emoji sequence', '👨‍👩‍👧‍👦'],
    ['a combining accent', 'cafe\u0301'],
  ])('can be %s', (_, name) => {
    expect(readDefinition({ name }).name).toBe(name)
  })

  it('can be any Unicode text of up to 128 characters', async () => {
    const name = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 128 })
      .filter((text) => text.trim() !== '')
    await checkProperty(fc.property(name, (text) => readDefinition({ name: text }).name === text))
  })

  it.each([
    ['129 letters', 'a'.repeat(129), /"a{129}".*name has 129 characters; the maximum is 128/],
    ['129 emoji', '😀'.repeat(129), /name has 129 characters/],
    ['a lone surrogate', 'read\ud83d', /name is not well-formed Unicode/],
    ['an empty string', '', /name must be a non-empty string/],
    ['whitespace', ' \t\n', /name must be a non-empty string/],
    ['a number', 7, /name must be a non-empty string, got number/],
    ['null', null, /name must be a non-empty string, got null/],
    ['missing', undefined, /name must be a non-empty string, got undefined/],
  ])('cannot be %s', (_, name, message) => {
    const error = errorOf({ name })
    expect(error).toBeInstanceOf(InvalidToolError)
    expect(error).toMatchObject({ code: 'invalid_tool', field: 'name' })
    expect(error.message).toMatch(message)
  })
})

describe('readDefinition: errors', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['string', 'read_file'],
    ['number', 7],
    ['boolean', true],
    ['array', [{ name: 'a' }]],
    ['function', () => 1],
  ])('rejects a definition of type %s', (kind, definition) => {
    const error = errorOf(definition)
    expect(error).toMatchObject({ code: 'invalid_tool', field: '' })
    expect(error.message).toBe(`A tool definition must be an object, got ${kind}`)
  })

  it.each([
    ['title', 7, 'title'],
    ['description', ['text'], 'description'],
    ['inputSchema', 'object', 'inputSchema'],
    ['inputSchema', true, 'inputSchema'],
    ['inputSchema', [], 'inputSchema'],
    ['inputSchema', { default: Number.NaN }, 'inputSchema.default'],
    [
      'inputSchema',
      { type: 'object', properties: { limit: { default: () => 1 } } },
      'inputSchema.properties.limit.default',
    ],
    ['outputSchema', [], 'outputSchema'],
    [
      'outputSchema',
      { properties: { at: { default: Symbol('a') } } },
      'outputSchema.properties.at.default',
    ],
    ['source', 7, 'source'],
    ['isMcp', 'yes', 'isMcp'],
    ['searchHint', {}, 'searchHint'],
    ['tags', 'one', 'tags'],
    ['tags', ['one', 2], 'tags'],
    ['annotations', 'read-only', 'annotations'],
    ['annotations', [], 'annotations'],
    ['loading', 'lazy', 'loading'],
    ['loading', true, 'loading'],
    ['metadata', 'text', 'metadata'],
    ['metadata', [], 'metadata'],
    ['_meta', 7, '_meta'],
  ])('rejects %s %j and names the tool and the field', (field, value, at) => {
    const error = errorOf({ name: 'my_tool', [field]: value })
    expect(error).toBeInstanceOf(InvalidToolError)
    expect(error).toMatchObject({ code: 'invalid_tool', toolName: 'my_tool', field: at })
    expect(error.message).toContain('"my_tool"')
    expect(error.message).toContain(at)
  })

  it('throws only InvalidToolError for any input', async () => {
    const value = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true })
    const field = fc.constantFrom('name', 'inputSchema', 'source', 'tags', '_meta', 'metadata')
    const definition = fc.oneof(
      value,
      fc.dictionary(field, value),
      fc.dictionary(field, value).map((fields) => ({ ...fields, name: 'a' })),
    )
    await checkProperty(
      fc.property(definition, (one) => {
        try {
          readDefinition(one)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidToolError)
        }
      }),
    )
  })
})

function errorOf(definition: unknown): Error {
  try {
    readDefinition(definition)
  } catch (error) {
    return error as Error
  }
  return expect.fail('nothing was thrown')
}
