import { expect, it } from 'vitest'
import { invalidSchema } from './invalid-schema.ts'

it.each<[unknown, string | undefined]>([
  [{ type: 'object', properties: { a: { type: 'array', items: {} } } }, undefined],
  [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, undefined],
  [{ properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: {} } }, undefined],
  [{ properties: { a: { type: 'dict' } } }, '/properties/a/type must be equal'],
  [{ properties: { a: { required: true } } }, '/properties/a/required must be array'],
  [{ properties: { a: { type: 'array' } } }, 'array schema missing items.'],
  [{ properties: { a: { $ref: '#/$defs/a' } } }, 'reference #/$defs/a not found.'],
])('invalidSchema(%j) is %j', (schema, expected) => {
  expect(invalidSchema(schema)).toEqual(expected && expect.stringContaining(expected))
})
