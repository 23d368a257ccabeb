import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { validSchema } from './valid-schema.ts'

describe('validSchema', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['dict', { type: 'dict' }, { type: 'object' }],
    ['float', { type: 'float' }, { type: 'number' }],
    ['int', { type: 'int' }, { type: 'integer' }],
    ['str', { type: 'str' }, { type: 'string' }],
    ['bool', { type: 'bool' }, { type: 'boolean' }],
    ['list', { type: 'list' }, { type: 'array', items: {} }],
    ['tuple', { type: 'tuple' }, { type: 'array', items: {} }],
    ['any', { type: 'any', description: 'a' }, { description: 'a' }],
    ['a capitalised type', { type: 'String' }, { type: 'string' }],
    ['a list of types', { type: ['str', 'none', 'string'] }, { type: ['string', 'null'] }],
    ['an unknown type in a list', { type: ['string', 'colour'] }, {}],
    ['a type that is an object', { type: { a: 1 } }, {}],
    [
      'types in every position',
      { properties: { a: { items: { type: 'int' } } }, anyOf: [{ type: 'float' }] },
      { properties: { a: { items: { type: 'integer' } } }, anyOf: [{ type: 'number' }] },
    ],
    ['a schema written as a type name', { items: 'str' }, { items: { type: 'string' } }],
    ['a property that is null', { properties: { a: null } }, { properties: { a: {} } }],
    ['a Python pattern', { type: 'string', pattern: '(?P<a>x)' }, { type: 'string' }],
    ['an invalid property pattern', { patternProperties: { '[': {} } }, { patternProperties: {} }],
    ['a dangling reference', { $ref: '#/$defs/a', description: 'x' }, { description: 'x' }],
    ['a reference to another document', { items: { $ref: 'https://a.b/c.json' } }, { items: {} }],
    [
      'a reference to something that is left out',
      { $defs: [{}], items: { $ref: '#/$defs/0' } },
      { items: {} },
    ],
    [
      'required on the property itself',
      { properties: { a: { type: 'str', required: true }, b: { required: false } } },
      { properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
    ],
    ['required as a string', { required: 'a' }, {}],
    ['repeated required names', { required: ['a', 'a'] }, { required: ['a'] }],
    ['enum as an object', { enum: { a: 1 } }, {}],
    ['a single example', { examples: 'x' }, { examples: ['x'] }],
    ['a tuple of older drafts', { items: [{}, { type: 'int' }] }, tuple()],
    ['a minimum of the wrong type', { minimum: '1', exclusiveMaximum: true, maximum: 3 }, max()],
    ['an empty anyOf', { anyOf: [] }, {}],
    ['a single schema in anyOf', { anyOf: { type: 'int' } }, { anyOf: [{ type: 'integer' }] }],
    ['properties as an array', { type: 'object', properties: [{ name: 'a' }] }, object()],
    ['a description that is not text', { description: ['a'] }, {}],
  ])('fixes %s', (_, schema, expected) => {
    const before = structuredClone(schema)
    expect(validSchema(schema)).toEqual(expected)
    expect(schema).toEqual(before)
    expect(ajvProblem(expected)).toBeUndefined()
  })

  function tuple() {
    return { prefixItems: [{}, { type: 'integer' }] }
  }
  function max() {
    return { maximum: 3 }
  }
  function object() {
    return { type: 'object' }
  }

  it('returns a valid schema as it is', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        type: { type: ['string', 'null'], default: { $ref: '#/nowhere' } },
        enum: { enum: [{ type: 'strange' }] },
        $ref: { $ref: '#/$defs/a' },
        list: { type: 'array', items: { $ref: '#' } },
        'x-any': true,
      },
      required: ['type'],
      additionalProperties: false,
      $defs: { a: { type: 'string', pattern: '^a', 'x-order': 1 } },
    }
    expect(validSchema(schema)).toBe(schema)
    expect(ajvProblem(schema)).toBeUndefined()
  })

  it('keeps a property that is named __proto__', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"int"}}}')
    expect(JSON.stringify(validSchema(schema))).toBe(
      '{"properties":{"__proto__":{"type":"integer"}}}',
    )
  })

  it('is valid for any JSON', async () => {
    const keyword = fc.constantFrom(...KEYWORDS)
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('string', 'int', 'dict', '#/$defs/a', '#', '(', 'a', true),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(fc.oneof({ weight: 5, arbitrary: keyword }, fc.constant('a')), tie('schema')),
      ),
    }))
    await checkProperty(
      fc.property(fc.dictionary(keyword, schema), (candidate) => {
        const valid = validSchema(candidate as Record<string, unknown>)
        expect(ajvProblem(valid)).toBeUndefined()
        expect(validSchema(structuredClone(valid))).toEqual(valid)
      }),
    )
  })
})

const KEYWORDS = [
  ...Object.keys(
    JSON.parse(
      readFileSync(new URL(import.meta.resolve('ajv/dist/refs/json-schema-draft-07.json')), 'utf8'),
    ).properties,
  ).filter((keyword) => keyword !== '$id' && keyword !== '$schema'),
  '$defs',
  'prefixItems',
  'unevaluatedItems',
  'dependentSchemas',
  'dependentRequired',
  'minContains',
]

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })

/** Draft 2020-12 with its meta-schema, without the checks that are a matter of taste. */
function ajvProblem(schema: unknown): unknown {
  return ajv.validateSchema(schema as object) === true ? undefined : ajv.errors
}
