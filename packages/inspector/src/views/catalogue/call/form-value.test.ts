import { describe, expect, it } from 'vitest'
import { formOf, initialForm, readForm } from './form-value.ts'
import { schemaFields } from './schema-fields.ts'

const schema = {
  type: 'object',
  properties: {
    note: { type: 'string', description: 'For the journal.' },
    id: { $ref: '#/$defs/id' },
    count: { type: 'integer', minimum: 1, default: 3 },
    ratio: { type: ['number', 'null'] },
    loud: { type: 'boolean', default: true },
    color: { enum: ['red', 'green', 7] },
    tags: { type: 'array', items: { type: 'string' } },
    filter: {
      type: 'object',
      properties: { since: { type: 'string' }, limit: { type: 'integer' } },
      required: ['since'],
    },
    target: { oneOf: [{ type: 'string' }, { type: 'object' }] },
  },
  required: ['id'],
  $defs: { id: { type: 'string' } },
}

describe('the form of a schema', () => {
  const fields = schemaFields(schema)!

  it('has one field per property, required ones first, and JSON where nothing else fits', () => {
    expect(fields.map(({ name, input, isRequired }) => [name, input.kind, isRequired])).toEqual([
      ['id', 'text', true],
      ['note', 'text', false],
      ['count', 'number', false],
      ['ratio', 'number', false],
      ['loud', 'boolean', false],
      ['color', 'choice', false],
      ['tags', 'list', false],
      ['filter', 'object', false],
      ['target', 'json', false],
    ])
  })

  it('starts with the defaults, and leaves empty optional fields out', () => {
    const start = initialForm(fields)
    expect(readForm(fields, start)).toEqual({
      value: { count: 3, loud: true },
      problems: [{ path: 'id', message: 'This field is required.' }],
    })
  })

  it('reads every kind of field', () => {
    const entered = {
      ...initialForm(fields),
      id: 'a',
      ratio: '0.5',
      loud: 'false',
      color: '7',
      tags: ['x', ''],
      filter: { since: 'today', limit: '' },
      target: '{"to":1}',
    }
    const { value, problems } = readForm(fields, entered)
    expect(problems).toEqual([])
    expect(value).toEqual({
      id: 'a',
      count: 3,
      ratio: 0.5,
      loud: false,
      color: 7,
      tags: ['x', ''],
      filter: { since: 'today' },
      target: { to: 1 },
    })
    expect(readForm(fields, formOf(fields, value)).value).toEqual(value)
  })

  it('names the field of each mistake', () => {
    const entered = { id: 'a', count: '1.5', filter: { limit: 'x' }, target: '{' }
    expect(readForm(fields, entered).problems.map(({ path }) => path)).toEqual([
      'count',
      'filter.since',
      'filter.limit',
      'target',
    ])
  })

  it('needs JSON for schemas that a form cannot express, and nothing for tools without arguments', () => {
    expect(schemaFields({ oneOf: [{ type: 'object' }] })).toBeUndefined()
    expect(
      schemaFields({ type: 'object', additionalProperties: { type: 'string' } }),
    ).toBeUndefined()
    expect(schemaFields({ type: 'object' })).toEqual([])
  })

  it('ends with recursive schemas', () => {
    const parts = { type: 'array', items: { $ref: '#/$defs/parts' } }
    const recursive = { type: 'object', properties: { parts }, $defs: { parts } }
    expect(schemaFields(recursive)).toHaveLength(1)
  })
})
