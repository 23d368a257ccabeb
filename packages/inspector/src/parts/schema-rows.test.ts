import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { MAX_ROWS, schemaRows } from './schema-rows.ts'

const line = (schema: object) =>
  schemaRows(schema).map(
    ({ path, type, isRequired, notes }) =>
      `${path}${isRequired ? '*' : ''}: ${[type, ...notes].join(', ')}`,
  )

describe('schemaRows', () => {
  it('shows names, types, required properties, choices and limits', () => {
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
      'to*: list of string, minimum items 1',
      'priority: choice, low | high, default low',
      'retries: integer or null, at least 0, at most 5',
    ])
  })

  it('follows objects, lists of objects and references', () => {
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

  it('shows the types of alternatives', () => {
    expect(
      line({ properties: { id: { anyOf: [{ type: 'string' }, { type: 'number' }] } } }),
    ).toEqual(['id: string or number'])
  })

  it('does not throw on invalid schemas', async () => {
    await checkProperty(
      fc.property(fc.jsonValue(), (value) => {
        schemaRows(value)
        schemaRows({ properties: value })
        schemaRows({ properties: { a: value } })
      }),
      { cases: 100 },
    )
  })

  it('terminates for every kind of recursive definition', () => {
    const t = { $ref: '#/$defs/t' }
    expect(line({ $defs: { t: { type: 'array', items: t } }, properties: { t } })).toEqual([
      't: list of list of list of list of …',
    ])
    expect(
      line({ $defs: { t: { anyOf: [t, { type: 'string' }] } }, properties: { t } })[0],
    ).toMatch(/ or string$/)
    expect(line({ $defs: { t }, properties: { t } })).toEqual(['t: anything'])
  })

  it('limits the rows of definitions that all refer to each other', () => {
    const names = Array.from({ length: 20 }, (_, at) => `n${at}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
    expect(schemaRows({ $defs, properties })).toHaveLength(MAX_ROWS)
  })

  it('has a row for each of a thousand properties', () => {
    const names = Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'string' }])
    expect(schemaRows({ properties: Object.fromEntries(names) })).toHaveLength(1000)
  })

  it('resolves chained references with escaped names', () => {
    const $defs = { 'a/b': { $ref: '#/$defs/the%20end' }, 'the end': { type: 'string' } }
    expect(line({ $defs, properties: { t: { $ref: '#/$defs/a~1b' } } })).toEqual(['t: string'])
  })

  it('numbers alternatives, unless only one has properties', () => {
    const form = (name: string) => ({
      properties: { [name]: { type: 'string' } },
      required: [name],
    })
    expect(line({ anyOf: [form('a'), form('b')] })).toEqual([
      'a*: string, option 1 of 2',
      'b*: string, option 2 of 2',
    ])
    expect(line({ anyOf: [form('a'), { type: 'null' }] })).toEqual(['a*: string'])
  })
})
