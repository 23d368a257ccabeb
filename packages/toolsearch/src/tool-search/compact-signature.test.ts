import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../catalogue/tool.ts'
import { compactSignature } from './compact-signature.ts'

describe('compactSignature', () => {
  it.each<[string, JsonSchema, string]>([
    [
      'required and optional properties in schema order',
      {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        required: ['path'],
      },
      '{path: string, limit?: integer}',
    ],
    ['no parameters', { type: 'object', properties: {} }, '{}'],
    ['optional properties', { properties: { a: { type: 'boolean' } } }, '{a?: boolean}'],
    [
      'nested objects without their properties',
      { properties: { filter: { type: 'object', properties: { deep: { type: 'string' } } } } },
      '{filter?: object}',
    ],
    [
      'properties without a single type as any',
      { properties: { a: { type: ['string', 'null'] }, b: {}, c: { anyOf: [] }, d: true } },
      '{a?: any, b?: any, c?: any, d?: any}',
    ],
    ['a schema without properties', { type: 'object' }, '<schema>'],
    ['a composed schema', { allOf: [{ type: 'object' }] }, '<schema>'],
    ['a schema whose properties are null', { properties: null }, '<schema>'],
    [
      'the boolean "required" of draft 3 as optional',
      { properties: { a: { type: 'string', required: true } }, required: true },
      '{a?: string}',
    ],
    ['a property whose schema is null', { properties: { a: null } }, '{a?: any}'],
  ])('shows %s', (_, schema, signature) => {
    expect(compactSignature(schema)).toBe(signature)
  })
})
