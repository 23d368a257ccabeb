import { describe, expect, it } from 'vitest'
import { objectSchema } from './object-schema.ts'

const text = { type: 'string' }
const number = { type: 'number' }

describe('objectSchema', () => {
  it('sets the root type to object and keeps the rest', () => {
    const schema = { properties: { a: { anyOf: [text, number] } }, required: ['a'] }
    expect(objectSchema(schema)).toEqual({ ...schema, type: 'object' })
  })

  // https://github.com/software-mansion/argent/issues/773
  it('drops an anyOf that only makes different properties required', () => {
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

  it('merges oneOf: requires what every branch requires, and combines differing properties', () => {
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

  it('merges allOf: requires everything that any branch requires', () => {
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

  it('stops at recursive references and ignores invalid schemas', () => {
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
