import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { checkSchema } from './check-schema.ts'

describe('checkSchema compared with Ajv', () => {
  it.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['an object without parameters', { type: 'object', properties: {} }],
    ['every type', { type: ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] }],
    ['required names', { type: 'object', properties: { a: {} }, required: ['a', 'b'] }],
    ['no required names', { type: 'object', required: [] }],
    ['enum values of every type', { enum: ['a', 1, null, true, { type: 'strange' }, ['b']] }],
    ['a constant that looks like a schema', { const: { type: 'strange', $ref: '#/nowhere' } }],
    ['a default that looks like a schema', { default: { required: 7, enum: 'x' } }],
    ['examples that look like schemas', { examples: [{ type: 'strange' }] }],
    ['a pattern', { type: 'string', pattern: '^\\p{L}+-[0-9]{2,}$' }],
    ['a pattern with an emoji range', { pattern: '^[😀-😂]+$' }],
    ['property patterns', { patternProperties: { '^x-': { type: 'string' }, '.*': true } }],
    ['boolean schemas', { properties: { a: true, b: false }, additionalProperties: false }],
    [
      'schemas in every allowed position',
      {
        items: { type: 'string' },
        prefixItems: [{ type: 'string' }],
        contains: { type: 'string' },
        additionalProperties: { type: 'string' },
        propertyNames: { pattern: '^a' },
        unevaluatedItems: false,
        unevaluatedProperties: { type: 'string' },
        not: { type: 'null' },
        if: { type: 'string' },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { minLength: 1 },
        else: true,
        allOf: [{}],
        anyOf: [{ type: 'string' }, { type: 'null' }],
        oneOf: [true],
        dependentSchemas: { a: { required: ['b'] } },
        dependentRequired: { a: ['b'] },
      },
    ],
    ['a reference to a definition', { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }],
    [
      'a reference to definitions of older drafts',
      { definitions: { a: {} }, $ref: '#/definitions/a' },
    ],
    ['a reference to itself', { properties: { children: { items: { $ref: '#' } } } }],
    [
      'definitions that refer to each other',
      {
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
        $ref: '#/$defs/a',
      },
    ],
    [
      'a reference to an array item',
      { allOf: [{ type: 'string' }], properties: { a: { $ref: '#/allOf/0' } } },
    ],
    ['a reference to a property', { properties: { a: {}, b: { $ref: '#/properties/a' } } }],
    ['a reference to an anchor', { $defs: { a: { $anchor: 'here' } }, $ref: '#here' }],
    ['a reference with an escaped slash', { $defs: { 'a/b': {} }, $ref: '#/$defs/a~1b' }],
    ['a reference with an escaped tilde', { $defs: { 'a~b': {} }, $ref: '#/$defs/a~0b' }],
    ['a reference with an escaped ~1', { $defs: { 'a~1b': {} }, $ref: '#/$defs/a~01b' }],
    ['a reference with an encoded space', { $defs: { 'a b': {} }, $ref: '#/$defs/a%20b' }],
    ['a reference with a percent-encoded tilde', { $defs: { 'a/b': {} }, $ref: '#/$defs/a%7E1b' }],
    ['a reference with an encoded percent sign', { $defs: { 'a%b': {} }, $ref: '#/$defs/a%25b' }],
    [
      'a reference with encoded Chinese',
      { $defs: { 任务: {} }, $ref: '#/$defs/%E4%BB%BB%E5%8A%A1' },
    ],
    ['a reference below an unknown keyword', { components: { a: {} }, $ref: '#/components/a' }],
    [
      'a reference inside a schema with its own $id',
      {
        $defs: {
          inner: {
            $id: 'https://example.org/inner',
            $defs: { text: { type: 'string' } },
            properties: { a: { $ref: '#/$defs/text' } },
          },
        },
        $ref: 'https://example.org/inner',
      },
    ],
    [
      'properties named like keywords',
      {
        type: 'object',
        properties: {
          type: { type: 'string' },
          required: { type: 'boolean' },
          enum: { type: 'array' },
          $ref: { type: 'string' },
          properties: { type: 'object' },
          pattern: { type: 'string' },
          constructor: { type: 'string' },
        },
      },
    ],
    [
      'unknown keywords and formats',
      { 'x-order': 1, format: 'colour', widget: { type: 'strange' } },
    ],
  ])('both accept %s', (_, schema) => {
    expect(ajvProblem(schema)).toBeUndefined()
    expect(checkSchema(schema)).toEqual([])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown type', { type: 'strange' }, 'type'],
    ['a capitalised type', { type: 'String' }, 'type'],
    ['a type that is null', { type: null }, 'type'],
    ['a type that is an object', { type: { a: 1 } }, 'type'],
    ['an unknown type among others', { type: ['string', 'date'] }, 'type'],
    ['a nested list of types', { type: ['string', ['null']] }, 'type'],
    [
      'a deeply nested unknown type',
      { properties: { a: { items: { type: 'int' } } } },
      'properties.a.items.type',
    ],
    ['a pattern with an unclosed group', { pattern: '(' }, 'pattern'],
    ['a pattern with an invalid quantifier', { pattern: '*a' }, 'pattern'],
    ['a pattern with PCRE syntax', { pattern: '(?i)a' }, 'pattern'],
    ['a pattern that is not a string', { pattern: 7 }, 'pattern'],
    ['an invalid property pattern', { patternProperties: { '[': {} } }, 'patternProperties.['],
    ['a reference to a missing definition', { $ref: '#/$defs/a' }, '$ref'],
    [
      'a reference to a definition with a different spelling',
      { $defs: { A: {} }, $ref: '#/$defs/a' },
      '$ref',
    ],
    [
      'a deeply nested reference to a missing definition',
      { $defs: {}, anyOf: [{ properties: { a: { $ref: '#/$defs/a' } } }] },
      'anyOf.0.properties.a.$ref',
    ],
    ['a reference past the end of an array', { allOf: [{ $ref: '#/allOf/1' }] }, 'allOf.0.$ref'],
    ['a reference to a missing anchor', { $ref: '#nowhere' }, '$ref'],
    ['a reference that is not a string', { $ref: 7 }, '$ref'],
    ['required as a string', { required: 'a' }, 'required'],
    ['required as an object', { required: { a: true } }, 'required'],
    ['required with a number', { required: ['a', 1] }, 'required'],
    ['required as null', { required: null }, 'required'],
    ['enum as a string', { enum: 'a' }, 'enum'],
    ['enum as an object', { enum: { a: 1 } }, 'enum'],
    ['enum as null', { enum: null }, 'enum'],
    ['properties as an array', { properties: [{ name: 'a' }] }, 'properties'],
    ['properties as a string', { properties: 'a' }, 'properties'],
    ['properties as null', { properties: null }, 'properties'],
    ['a property that is a string', { properties: { a: 'string' } }, 'properties.a'],
    ['a property that is an array', { properties: { a: [] } }, 'properties.a'],
    ['a property that is null', { properties: { a: null } }, 'properties.a'],
    ['$defs as an array', { $defs: [] }, '$defs'],
    ['anyOf as an object', { anyOf: { type: 'string' } }, 'anyOf'],
    ['oneOf with a string', { oneOf: ['string'] }, 'oneOf.0'],
    ['items as a string', { items: 'string' }, 'items'],
  ])('both reject %s', (_, schema, path) => {
    expect(ajvProblem(schema)).toBeDefined()
    expect(checkSchema(schema)).toMatchObject([{ path }])
  })

  it.each<[string, (inner: object) => Record<string, unknown>]>([
    ['properties.a', (inner) => ({ properties: { a: inner } })],
    ['patternProperties.a', (inner) => ({ patternProperties: { a: inner } })],
    ['additionalProperties', (inner) => ({ additionalProperties: inner })],
    ['unevaluatedProperties', (inner) => ({ unevaluatedProperties: inner })],
    ['propertyNames', (inner) => ({ propertyNames: inner })],
    ['items', (inner) => ({ items: inner })],
    ['prefixItems.1', (inner) => ({ prefixItems: [{}, inner] })],
    ['unevaluatedItems', (inner) => ({ unevaluatedItems: inner })],
    ['contains', (inner) => ({ contains: inner })],
    ['allOf.0', (inner) => ({ allOf: [inner] })],
    ['anyOf.1', (inner) => ({ anyOf: [{}, inner] })],
    ['oneOf.0', (inner) => ({ oneOf: [inner] })],
    ['not', (inner) => ({ not: inner })],
    ['if', (inner) => ({ if: inner })],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['then', (inner) => ({ if: {}, then: inner })],
    ['else', (inner) => ({ if: {}, else: inner })],
    ['$defs.a', (inner) => ({ $defs: { a: inner } })],
    ['definitions.a', (inner) => ({ definitions: { a: inner } })],
    ['dependentSchemas.a', (inner) => ({ dependentSchemas: { a: inner } })],
    ['dependencies.a', (inner) => ({ dependencies: { a: inner } })],
    ['contentSchema', (inner) => ({ contentSchema: inner })],
  ])('both check the schema at %s', (path, around) => {
    expect(ajvProblem(around({ type: 'string' }))).toBeUndefined()
    expect(checkSchema(around({ type: 'string' }))).toEqual([])
    expect(ajvProblem(around({ type: 'strange' }))).toBeDefined()
    expect(checkSchema(around({ type: 'strange' }))).toMatchObject([{ path: `${path}.type` }])
  })

  it.each<[string, Record<string, unknown>]>([
    ['a tuple in the syntax of older drafts', { items: [{ type: 'string' }, { type: 'number' }] }],
    ['required on the property itself', { properties: { a: { type: 'string', required: true } } }],
    ['a pattern that only compiles without the u flag', { pattern: '^[\\w-.]+$' }],
    ['a reference to another document', { $ref: 'https://example.org/schema.json' }],
  ])('only Ajv rejects %s', (_, schema) => {
    expect(ajvProblem(schema)).toBeDefined()
    expect(checkSchema(schema)).toEqual([])
  })

  it('checks tuples in the syntax of older drafts', () => {
    expect(checkSchema({ items: [{}, { type: 'strange' }] })).toMatchObject([
      { path: 'items.1.type' },
    ])
  })

  it('does not resolve references to inherited properties', () => {
    expect(checkSchema({ $ref: '#/$defs/constructor', $defs: {} })).toMatchObject([
      { path: '$ref' },
    ])
  })

  it('accepts an $id that is only a fragment, as in older drafts', () => {
    const schema = {
      definitions: {
        text: { type: 'string' },
        note: { $id: '#note', properties: { body: { $ref: '#/definitions/text' } } },
      },
      properties: {
        first: { $ref: '#note' },
        second: { $id: '#/properties/second', $ref: '#/definitions/text' },
      },
    }
    expect(() => new Ajv({ strict: false, logger: false }).compile(schema)).not.toThrow()
    expect(checkSchema(schema)).toEqual([])
  })

  it('requires the root schema to be an object', () => {
    for (const schema of [true, [], 'object', null]) {
      expect(checkSchema(schema)).toMatchObject([
        { path: '', problem: 'is not a JSON Schema object' },
      ])
    }
  })

  it.each([
    ['dict', 'use "object"'],
    ['float', 'use "number"'],
    ['tuple', 'use "array"'],
    ['String', 'use "string"'],
    ['any', 'remove it: without a type, any value is valid'],
    ['colour', 'use one of string, number, integer, boolean, object, array, null'],
  ])('suggests a fix for the type %s', (type, fix) => {
    expect(checkSchema({ type })).toEqual([
      { path: 'type', problem: `is "${type}", which is not a JSON Schema type`, fix },
    ])
  })

  it('lists every problem in the order of the schema, up to 100', () => {
    const schema = {
      properties: { a: { type: 'int', pattern: '(' }, b: { $ref: '#/$defs/b' } },
      required: 'a',
    }
    expect(checkSchema(schema).map(({ path }) => path)).toEqual([
      'properties.a.type',
      'properties.a.pattern',
      'properties.b.$ref',
      'required',
    ])
    const many = Array.from({ length: 150 }, () => ({ type: 'int' }))
    expect(checkSchema({ anyOf: many })).toHaveLength(100)
  })
})

describe('checkSchema: any schema', () => {
  it('accepts a schema of one megabyte', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [
        `parameter_${i}`,
        { type: 'string', pattern: '^a', description: 'one of very many' },
      ]),
    )
    expect(JSON.stringify(properties).length).toBeGreaterThan(1_000_000)
    expect(checkSchema({ type: 'object', properties })).toEqual([])
    expect(
      checkSchema({ type: 'object', properties: { ...properties, last: { type: 'x' } } }),
    ).toMatchObject([{ path: 'properties.last.type' }])
  })

  it('never throws for any JSON', async () => {
    const keyword = fc.constantFrom('type', 'properties', 'items', 'anyOf', '$ref', 'enum', '$defs')
    const value = fc.jsonValue()
    const schema = fc.oneof(
      value,
      fc.dictionary(keyword, fc.oneof(value, fc.dictionary(keyword, value))),
    )
    await checkProperty(
      fc.property(schema, (candidate) => {
        for (const { problem, fix } of checkSchema(candidate)) {
          expect(problem).not.toBe('')
          expect(fix).not.toBe('')
        }
      }),
    )
  })
})

const ajv = new Ajv2020({ strict: false, logger: false })

function ajvProblem(schema: Record<string, unknown>): unknown {
  try {
    ajv.compile(schema)
    return undefined
  } catch (error) {
    return error
  } finally {
    // Otherwise another schema cannot have the same id.
    ajv.removeSchema()
  }
}
