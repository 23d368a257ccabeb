import { describe, expect, it } from 'vitest'
import { objectSchema } from './object-schema.ts'

const text = { type: 'string' }
const number = { type: 'number' }

describe('objectSchema', () => {
  it('says that the whole is an object and leaves the rest', () => {
    const schema = { properties: { a: { anyOf: [text, number] } }, required: ['a'] }
    expect(objectSchema(schema)).toEqual({ ...schema, type: 'object' })
  })

  // https://github.com/software-mansion/argent/issues/773
  it('drops a choice between properties that are there', () => {
    const schema = {
      type: 'object',
      properties: { route: text, file: text },
      anyOf: [{ required: ['route'] }, { required: ['file'] }],
    }
    expect(objectSchema(schema)).toEqual({
      type: 'object',
      properties: { route: text, file: text },
    })
  })

  it('merges a union: what every branch wants is wanted, what differs may be any', () => {
    const schema = {
      oneOf: [
        { properties: { kind: { const: 'a' }, size: number }, required: ['kind', 'size'] },
        { $ref: '#/$defs/b' },
      ],
      $defs: { b: { properties: { kind: { const: 'b' } }, required: ['kind'] } },
    }
    expect(objectSchema(schema)).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, size: number },
      required: ['kind'],
      $defs: schema.$defs,
    })
  })

  it('wants all that parts of a whole want', () => {
    const schema = {
      allOf: [
        { properties: { a: text }, required: ['a'] },
        { allOf: [{ properties: { b: text }, required: ['b'] }] },
      ],
    }
    expect(objectSchema(schema)).toEqual({
      type: 'object',
      properties: { a: text, b: text },
      required: ['a', 'b'],
    })
  })

  it('ends where a choice holds itself, and takes what is no schema', () => {
    const schema = {
      anyOf: [{ $ref: '#/$defs/a' }, true],
      $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } },
    }
    expect(objectSchema(schema)).toMatchObject({ type: 'object', properties: {} })
    expect(objectSchema({ oneOf: [{ $ref: 'elsewhere' }, { $ref: '#/no/where' }] })).toEqual({
      type: 'object',
      properties: {},
    })
  })
})
