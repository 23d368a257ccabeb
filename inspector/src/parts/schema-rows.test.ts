import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaRows } from './schema-rows.ts'

const line = (schema: object) =>
  schemaRows(schema).map(
    ({ path, type, isRequired, notes }) =>
      `${path}${isRequired ? '*' : ''}: ${[type, ...notes].join(', ')}`,
  )

describe('schemaRows', () => {
  it('tells names, types, what is required, choices and limits', () => {
    expect(
      line({
        type: 'object',
        required: ['to'],
        properties: {
          to: { type: 'array', items: { type: 'string', format: 'email' }, minItems: 1 },
          priority: { enum: ['low', 'high'], default: 'low' },
          retries: { type: ['integer', 'null'], minimum: 0, maximum: 5 },
        },
      }),
    ).toEqual([
      'to*: list of string, items at least 1',
      'priority: choice, low | high, default low',
      'retries: integer or null, at least 0, at most 5',
    ])
  })

  it('goes into objects, lists of objects and references', () => {
    expect(
      line({
        $defs: { person: { type: 'object', properties: { name: { type: 'string' } } } },
        properties: {
          filter: { type: 'object', properties: { since: { type: 'string' } } },
          people: { type: 'array', items: { $ref: '#/$defs/person' } },
        },
      }),
    ).toEqual([
      'filter: object',
      'filter.since: string',
      'people: list of object',
      'people[].name: string',
    ])
  })

  it('stops at a schema that contains itself', () => {
    const tree = { $defs: { n: { properties: { next: { $ref: '#/$defs/n' } } } } }
    expect(line({ ...tree, properties: { root: { $ref: '#/$defs/n' } } })).toEqual([
      'root: object',
      'root.next: object',
    ])
  })

  it('shows what any of several schemas would take', () => {
    expect(
      line({ properties: { id: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
    ).toEqual(['id: string or number'])
  })

  it('reads anything without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        schemaRows(value)
        schemaRows({ properties: value })
        schemaRows({ properties: { a: value } })
      }),
    )
  })
})
