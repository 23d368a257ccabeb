import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../catalogue/tool.ts'
import { parseParameters } from './parameters-notation.fixtures.ts'
import { writeParameters } from './write-parameters.ts'

describe('writeParameters', () => {
  const object = (properties: object, required: string[] = []) => ({
    type: 'object',
    properties,
    required,
  })

  it.each<[string, JsonSchema, string]>([
    ['no parameters', { type: 'object', properties: {} }, '{}'],
    ['an object that says nothing', { type: 'object' }, 'object'],
    [
      'required and optional properties',
      object({ path: { type: 'string' }, limit: { type: 'integer' } }, ['path']),
      '{path: string, limit?: integer}',
    ],
    [
      'enums, constants and defaults',
      object({
        sort: { type: 'string', enum: ['asc', "it's"], default: 'asc' },
        kind: { const: 'x' },
        size: { enum: [1, null, true] },
        deep: { type: 'object', default: { a: [1] } },
      }),
      "{sort?: 'asc'|'it\\'s' = 'asc', kind?: 'x', size?: 1|null|true, deep?: object = {a: [1]}}",
    ],
    [
      'limits',
      object({
        a: { type: 'integer', minimum: 1, maximum: 100 },
        b: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
        c: { type: 'string', minLength: 1, maxLength: 80 },
        d: { type: 'string', format: 'uri' },
        e: { type: 'string', pattern: '^a/b$' },
        f: { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true },
        g: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
      }),
      '{a?: integer(1..100), b?: number(>0, multiple of 0.5), c?: string(1..80 chars), ' +
        'd?: string(uri), e?: string(/^a\\/b$/), f?: string[](>=1, unique), g?: integer}',
    ],
    [
      'nested objects, records and odd names',
      object({
        filter: object({ 'x-y': { type: 'string' } }, ['x-y']),
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        open: { ...object({ a: {} }), additionalProperties: true },
        by: { type: 'object', patternProperties: { '^x-': { type: 'number' } } },
      }),
      "{filter?: {'x-y': string}, labels?: {[key: string]: string}, " +
        'open?: {a?: any, [key: string]: any}, by?: {[key: /^x-/]: number}}',
    ],
    [
      'unions and intersections',
      object({
        id: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        none: { type: ['string', 'null'] },
        list: { type: 'array', items: { enum: ['a', 'b'] } },
        both: { allOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] },
      }),
      "{id?: string|integer, none?: string|null, list?: ('a'|'b')[], both?: {a?: string} & {b?: string}}",
    ],
    [
      'one of two properties',
      { ...object({ a: {}, b: {} }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{a?: any, b?: any} & ({a: any}|{b: any})',
    ],
    [
      'tuples',
      object({
        at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      }),
      '{at?: [number, number]}',
    ],
    [
      'a definition that is used once, in place',
      { ...object({ a: { $ref: '#/$defs/id' } }), $defs: { id: { type: 'string' } } },
      '{a?: string}',
    ],
    [
      'definitions that are used twice or contain themselves, by name',
      {
        ...object({
          a: { $ref: '#/$defs/id' },
          b: { $ref: '#/$defs/id' },
          c: { $ref: '#/$defs/tree' },
        }),
        $defs: {
          id: { type: 'string' },
          tree: object({ children: { type: 'array', items: { $ref: '#/$defs/tree' } } }),
        },
      },
      '{a?: Id, b?: Id, c?: Tree} where Id = string, Tree = {children?: Tree[]}',
    ],
  ])('writes %s', (_, schema, written) => {
    expect(writeParameters(schema)).toBe(written)
    expect(() => parseParameters(written)).not.toThrow()
  })

  it('adds descriptions that say more than the name, shortened between words', () => {
    const schema = object({
      page: { type: 'integer', description: 'The page' },
      since: {
        type: 'string',
        description: 'Only changes after this date (YYYY-MM-DD), */ never others',
      },
    })
    expect(writeParameters(schema, { descriptions: 40 })).toBe(
      '{page?: integer, since?: string /* Only changes after this date… */}',
    )
  })

  it.each<[string, JsonSchema]>([
    ['conditions', { type: 'object', if: { required: ['a'] }, else: { required: ['b'] } }],
    ['negations', { type: 'object', not: { required: ['a'] } }],
    ['references to other documents', { $ref: 'https://example.com/schema' }],
    [
      'thousands of properties',
      object(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, {}]))),
    ],
    ['schemas nested very deeply', nested(100)],
  ])('does not write %s', (_, schema) => {
    expect(writeParameters(schema)).toBeUndefined()
  })
})

function nested(depth: number): JsonSchema {
  return depth === 0 ? {} : { type: 'object', properties: { a: nested(depth - 1) } }
}
