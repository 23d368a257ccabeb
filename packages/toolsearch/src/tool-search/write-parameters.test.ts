import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { readManifests } from '../../../../testing/manifests/read-manifests.ts'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { JsonSchema } from '../catalogue/tool.ts'
import { validSchema } from '../catalogue/valid-schema.ts'
import { isObject } from '../is-object.ts'
import { contentsOf, parseParameters, sampleValues } from './parameters-notation.fixtures.ts'
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

const tools = readManifests().map((tool) => readDefinition(tool))

describe('the parameters of published servers', () => {
  const validators = [new Ajv2020(ajvOptions()), new Ajv(ajvOptions())]

  it('are all written', () => {
    expect(tools).toHaveLength(1_204)
    const missing = tools.filter(({ inputSchema }) => writeParameters(inputSchema) === undefined)
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it('allow only valid calls, with every optional property and every enum value', () => {
    const invalid: string[] = []
    let calls = 0
    for (const { name, inputSchema } of tools) {
      const written = writeParameters(inputSchema, { descriptions: 60 })!
      const validate = compile(inputSchema)
      const values = sampleValues(parseParameters(written))
      if (values.length === 0) invalid.push(`${name}: no call`)
      for (const value of values) {
        calls += 1
        if (!validate(value)) {
          invalid.push(
            `${name}: ${JSON.stringify(value).slice(0, 200)} ${JSON.stringify(validate.errors)}`,
          )
        }
      }
    }
    expect(invalid).toEqual([])
    expect(calls).toBeGreaterThan(4_000)
  })

  it('have every property, every enum value and what is required', () => {
    const wrong: string[] = []
    for (const { name, inputSchema } of tools) {
      const { properties, literals } = contentsOf(parseParameters(writeParameters(inputSchema)!))
      const expected = schemaContents(inputSchema)
      for (const property of expected.properties) {
        if (!properties.has(property)) wrong.push(`${name}: ${property} is missing`)
      }
      for (const property of properties) {
        if (!expected.properties.has(property))
          wrong.push(`${name}: ${property} is not in the schema`)
      }
      for (const literal of expected.literals) {
        if (!literals.has(literal)) wrong.push(`${name}: ${literal} is missing`)
      }
    }
    expect(wrong).toEqual([])
  })

  function compile(schema: JsonSchema) {
    const { $schema: dialect, ...rest } = schema
    const isOld = typeof dialect === 'string' && dialect.includes('draft-07')
    return validators[isOld ? 1 : 0]!.compile(validSchema(rest))
  }
})

function ajvOptions() {
  return { strict: false, validateFormats: false, allErrors: true, logger: false } as const
}

/** Every property as `name` or `name?`, and every enum value as JSON, that a call can contain. */
function schemaContents(root: JsonSchema) {
  const properties = new Set<string>()
  const literals = new Set<string>()
  const seen = new Set<unknown>()
  visit(root)
  return { properties, literals }

  function visit(schema: unknown): void {
    if (!isObject(schema) || seen.has(schema)) return
    seen.add(schema)
    if (typeof schema.$ref === 'string') {
      const parts = schema.$ref.split('/').slice(1)
      visit(parts.reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root))
    }
    if ('const' in schema) literals.add(JSON.stringify(schema.const))
    for (const value of Array.isArray(schema.enum) ? schema.enum : []) {
      literals.add(JSON.stringify(value))
    }
    const required = Array.isArray(schema.required) ? schema.required : []
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      properties.add(required.includes(name) ? name : `${name}?`)
      visit(property)
    }
    for (const name of required) properties.add(name)
    visit(schema.items)
    visit(schema.additionalProperties)
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      for (const branch of (schema[keyword] as unknown[] | undefined) ?? []) visit(branch)
    }
  }
}

function nested(depth: number): JsonSchema {
  return depth === 0 ? {} : { type: 'object', properties: { a: nested(depth - 1) } }
}
