import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../catalogue/tool.ts'
import { compactSignature } from './compact-signature.ts'

describe('compactSignature', () => {
  it.each<[string, JsonSchema, string]>([
    [
      'required and optional keys in their order',
      {
        type: 'object',
        properties: { path: { type: 'string' }, limit: { type: 'integer' } },
        required: ['path'],
      },
      '{path: string, limit?: integer}',
    ],
    ['no parameters', { type: 'object', properties: {} }, '{}'],
    ['every key optional', { properties: { a: { type: 'boolean' } } }, '{a?: boolean}'],
    [
      'only the first level',
      { properties: { filter: { type: 'object', properties: { deep: { type: 'string' } } } } },
      '{filter?: object}',
    ],
    [
      'any where there is not one type',
      { properties: { a: { type: ['string', 'null'] }, b: {}, c: { anyOf: [] }, d: true } },
      '{a?: any, b?: any, c?: any, d?: any}',
    ],
    ['a schema that cannot be told in a line', { type: 'object' }, '<schema>'],
    ['a schema made of others', { allOf: [{ type: 'object' }] }, '<schema>'],
    ['a schema with no properties at all', { properties: null }, '<schema>'],
    [
      'a required of draft 3, which is no list',
      { properties: { a: { type: 'string', required: true } }, required: true },
      '{a?: string}',
    ],
    ['a property that is null', { properties: { a: null } }, '{a?: any}'],
  ])('tells %s', (_, schema, signature) => {
    expect(compactSignature(schema)).toBe(signature)
  })
})
