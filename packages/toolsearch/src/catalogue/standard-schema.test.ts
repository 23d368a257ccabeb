import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import {
  createToolSearch,
  InvalidToolError,
  type StandardSchema,
  type ToolDefinition,
} from '../index.ts'

const wanted = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
}

const vendors: [string, StandardSchema, typeof toJsonSchema | undefined][] = [
  ['zod', z.object({ city: z.string() }), undefined],
  ['arktype, whose schemas are functions', type({ city: 'string' }), undefined],
  ['valibot with its wrapper', toStandardJsonSchema(v.object({ city: v.string() })), undefined],
  ['valibot with a converter', v.object({ city: v.string() }), toJsonSchema],
]

describe.each(vendors)('a schema of %s', (_, inputSchema, converter) => {
  const options = converter && { toJsonSchema: converter }
  const [tool] = createToolSearch({
    tools: [{ name: 'weather', inputSchema, outputSchema: inputSchema }],
    ...options,
  }).catalogue.tools()

  it('becomes JSON Schema without $schema', () => {
    expect(tool!.inputSchema).toEqual(wanted)
    expect(tool!.outputSchema).toMatchObject(wanted)
    expect(tool!.problems).toEqual([])
  })

  it('validates arguments', async () => {
    expect(await tool!.validator!({ city: 'Ulm' })).toEqual({ value: { city: 'Ulm' } })
    const { problems } = (await tool!.validator!({ city: 7 })) as { problems: string[] }
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^at city: .*string/)
    expect(await tool!.validator!('Ulm')).toHaveProperty('problems')
  })

  it('counts as unchanged when the same schema is added again', () => {
    const { catalogue } = createToolSearch(options)
    const definition = { name: 'weather', inputSchema }
    catalogue.add(definition)
    expect(catalogue.add(definition, { duplicates: 'replace' }).replaced).toEqual([])
    expect(catalogue.sync('builtin', [definition]).version).toBe(1)
  })
})

describe('Standard Schema', () => {
  it('applies defaults and transforms', async () => {
    const inputSchema = z.object({ limit: z.coerce.number().default(5) })
    const { catalogue } = createToolSearch({ tools: [{ name: 'a', inputSchema }] })
    expect(await catalogue.get('a')!.validator!({})).toEqual({ value: { limit: 5 } })
    expect(await catalogue.get('a')!.validator!({ limit: '7' })).toEqual({ value: { limit: 7 } })
  })

  it('awaits asynchronous validation', async () => {
    const inputSchema = z.object({ id: z.string().refine(async (id) => id === 'known') })
    const { validator } = createToolSearch({ tools: [{ name: 'a', inputSchema }] }).catalogue.get(
      'a',
    )!
    expect(await validator!({ id: 'known' })).toEqual({ value: { id: 'known' } })
    expect(await validator!({ id: 'x' })).toEqual({ problems: ['at id: Invalid input'] })
  })

  it('is accepted as parameters and input_schema', () => {
    const schema = z.object({ city: z.string() })
    const { catalogue } = createToolSearch({
      tools: [
        { type: 'function', name: 'a', parameters: schema },
        { name: 'b', input_schema: schema },
      ],
    })
    expect(catalogue.tools().map(({ inputSchema }) => inputSchema)).toEqual([wanted, wanted])
  })

  it.each<[string, StandardSchema, RegExp]>([
    ['valibot', v.object({}), /is a schema of valibot, which has no .* @valibot\/to-json-schema/],
    ['zod/mini', mini.object({}), /is a schema of zod, which has no .* z\.toJSONSchema/],
    ['zod 3', z3.object({}), /is a schema of zod, which has no .* Use zod 4\.2 or later/],
    [
      'a schema that JSON Schema cannot express',
      z.object({ when: z.date() }),
      /which cannot convert it to JSON Schema \(Date cannot be represented.*\)\. Use another type, .* toJsonSchema: \(s\) => z\.toJSONSchema\(s, \{ unrepresentable: 'any' \}\)/,
    ],
    ['another library', standard({ vendor: 'own' }), /schema of own, .* toJsonSchema: \(schema\)/],
  ])('names the tool, the vendor and the fix for %s', (_, inputSchema, message) => {
    const create = () => createToolSearch({ tools: [{ name: 'weather', inputSchema }] })
    expect(create).toThrow(InvalidToolError)
    expect(create).toThrow(/^Tool "weather": inputSchema /)
    expect(create).toThrow(message)
  })

  it('uses the converter if the schema cannot convert itself', () => {
    const inputSchema = z.object({ when: z.date() })
    const toJson = (schema: never) => z.toJSONSchema(schema, { unrepresentable: 'any' })
    const { catalogue } = createToolSearch({
      tools: [{ name: 'a', inputSchema }],
      toJsonSchema: toJson,
    })
    expect(catalogue.get('a')!.inputSchema).toMatchObject({ properties: { when: {} } })
  })

  it.each<[string, NonNullable<ToolDefinition['inputSchema']>]>([
    ['z.string()', z.string().describe('A city')],
    ['z.enum()', z.enum(['Ulm', 'Bonn']).describe('A city')],
    ['a list', { type: 'array', items: { type: 'string' }, description: 'A city' }],
    ['a union', { type: ['string', 'null'], description: 'A city' }],
  ])('reports a root that is not an object, and sends one that is: %s', async (_, inputSchema) => {
    const toolSearch = createToolSearch({
      tools: [{ name: 'a', inputSchema, execute: (input) => input }],
      validate: () => ['never asked'],
    })
    expect(toolSearch.catalogue.problems()).toMatchObject([
      { tool: 'a', path: 'inputSchema.type', fix: 'use "object" and make the value a property' },
    ])
    const session = await toolSearch.session('chat')
    expect((await session.turn()).tools).toContainEqual({
      name: 'a',
      description: '',
      inputSchema: { type: 'object', properties: {}, description: 'A city' },
    })
    const result = await session.run({ name: 'a', arguments: { city: 'Ulm' } })
    expect(result).toMatchObject({ kind: 'executed' })
  })

  it('takes a converter for one call', () => {
    const { catalogue } = createToolSearch()
    catalogue.add({ name: 'a', inputSchema: v.object({}) }, { toJsonSchema })
    expect(catalogue.get('a')!.inputSchema).toMatchObject({ type: 'object' })
  })

  it.each<[string, () => object, RegExp]>([
    ['throws', () => expect.fail('no'), /cannot be converted to JSON Schema: no/],
    ['returns nothing', () => undefined as never, /was converted to undefined/],
    ['returns a promise', () => Promise.reject(new Error('late')), /asynchronously/],
  ])('says so if the converter %s', (_, toJson, message) => {
    const tools = [{ name: 'a', inputSchema: v.object({}) }]
    expect(() => createToolSearch({ tools, toJsonSchema: toJson })).toThrow(message)
    expect(() => createToolSearch({ tools, toJsonSchema: toJson })).toThrow(InvalidToolError)
  })
})

function standard(props: { vendor: string }): StandardSchema {
  return { '~standard': { version: 1, validate: (value) => ({ value }), ...props } }
}
