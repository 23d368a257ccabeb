import { asSchema, jsonSchema, zodSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { InvalidToolError } from '../../index.ts'
import { readInputSchema, unvalidatedSchema } from './input-schema.ts'

const wanted = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const acceptAll = { check: async () => {}, isSent: () => true }

const kinds: [kind: string, schema: unknown, own?: typeof asSchema][] = [
  ['zod', z.object({ city: z.string() })],
  ['zod/mini', mini.object({ city: mini.string() }), asSchema],
  ['zod 3', z3.object({ city: z3.string() }), asSchema],
  ['zodSchema()', zodSchema(z.object({ city: z.string() }))],
  ['a lazy schema', () => zodSchema(z.object({ city: z.string() }))],
  ['jsonSchema()', jsonSchema(wanted as never)],
  ['a promise in jsonSchema()', jsonSchema(async () => wanted as never)],
]

const json = z.json()
const shared = z.object({ a: z.string() })

/** What else the SDK makes of a schema must not depend on us. */
const shapes: [shape: string, schema: unknown][] = [
  ['a record', z.object({ values: z.record(z.string(), z.any()) })],
  ['open and closed objects', z.object({ open: z.looseObject({}), closed: z.strictObject({}) })],
  ['a catchall', z.object({ a: z.string() }).catchall(z.number())],
  ['a default and a transform', z.object({ a: z.string().default('b').transform(Number) })],
  ['a reused schema', z.object({ one: shared, two: shared })],
  ['a recursive schema', z.object({ json })],
  ['a union', z.object({ either: z.union([z.object({ a: z.string() }), z.looseObject({})]) })],
  ['zod 3', z3.object({ open: z3.object({}).passthrough(), any: z3.record(z3.any()) })],
  [
    'jsonSchema() with open objects',
    jsonSchema({ ...wanted, additionalProperties: true } as never),
  ],
]

it.each(shapes)('readInputSchema passes %s to the SDK as it is', async (_, schema) => {
  const guarded = readInputSchema('a', schema, asSchema).guarded(acceptAll)
  const [ours, theirs] = [guarded, schema].map((one) => asSchema(one as never).jsonSchema)
  expect(await ours).toEqual(await theirs)
})

it.each(shapes.filter(([shape]) => shape !== 'zod 3'))(
  'readInputSchema passes %s to the SDK as it is, without asSchema',
  async (_, schema) => {
    const guarded = readInputSchema('a', schema).guarded(acceptAll)
    const [ours, theirs] = [guarded, schema].map((one) => asSchema(one as never).jsonSchema)
    expect(await ours).toEqual(await theirs)
  },
)

describe.each(kinds)('readInputSchema of %s', (kind, schema, own) => {
  it('returns the JSON Schema', async () => {
    expect(await readInputSchema('a', schema, own).json()).toMatchObject(wanted)
  })

  it('passes the same JSON Schema to the SDK with a check as without', async () => {
    const guarded = readInputSchema('a', schema, own).guarded(acceptAll)
    const [ours, theirs] = [asSchema(guarded as never), asSchema(schema as never)]
    expect(await ours.jsonSchema).toEqual(await theirs.jsonSchema)
    expect(await ours.validate!({ city: 'Ulm' })).toEqual({ success: true, value: { city: 'Ulm' } })
  })

  it('rejects values that the check or the schema rejects', async () => {
    const read = readInputSchema('a', schema, own)
    let isGone = false
    const guarded = asSchema(
      read.guarded({
        ...acceptAll,
        async check() {
          if (isGone) throw new Error('gone')
        },
      }) as never,
    )
    expect((await guarded.validate!({ city: 7 })).success).toBe(read.validator === undefined)
    expect(read.validator === undefined).toBe(kind.includes('jsonSchema()'))
    isGone = true
    await expect(guarded.validate!({ city: 'Atlantis' })).rejects.toThrow('gone')
  })

  it('is not converted for the SDK if the request does not contain it', async () => {
    const guarded = readInputSchema('a', schema, own).guarded({ ...acceptAll, isSent: () => false })
    expect(await asSchema(guarded as never).jsonSchema).toMatchObject({ properties: {} })
  })
})

describe('readInputSchema', () => {
  it('converts a schema again after a failure', async () => {
    const schema = mini.object({ city: mini.string() })
    await expect(readInputSchema('a', schema).json()).rejects.toThrow('pass asSchema')
    expect(await readInputSchema('a', schema, asSchema).json()).toMatchObject(wanted)
  })

  it('treats a missing schema as a schema without parameters', async () => {
    const read = readInputSchema('a', undefined)
    const theirs = await asSchema(undefined).jsonSchema
    expect(await read.json()).toEqual(theirs)
    expect(await asSchema(read.guarded(acceptAll) as never).jsonSchema).toEqual(theirs)
  })

  it.each([
    ['now', jsonSchema({ type: 'dict', properties: {} } as never)],
    ['later', jsonSchema(async () => ({ type: 'dict', properties: {} }) as never)],
  ])('corrects an invalid JSON Schema for the SDK, if it is available %s', async (_, schema) => {
    const read = readInputSchema('a', schema)
    expect(await read.json()).toEqual({ type: 'dict', properties: {} })
    const guarded = asSchema(read.guarded(acceptAll) as never)
    expect(await guarded.jsonSchema).toEqual({ type: 'object', properties: {} })
  })

  it('does not convert a schema before its JSON Schema is needed', () => {
    const schema = jsonSchema(() => {
      throw new Error('converted')
    })
    expect(() => readInputSchema('a', schema).guarded(acceptAll)).not.toThrow()
  })

  it.each([
    ['has no JSON Schema support', mini.object({})],
    ['fails to convert', z.object({ when: z.date() })],
    ['has an unknown shape', { jsonSchema: 'none' }],
  ])('names the tool in the error if its schema %s', async (_, schema) => {
    const failed = readInputSchema('clock', schema).json()
    await expect(failed).rejects.toThrow(InvalidToolError)
    await expect(failed).rejects.toThrow(/"clock": inputSchema has no JSON Schema.*asSchema/)
  })
})

it('unvalidatedSchema() reaches the service as it is, and accepts any value', async () => {
  const inner = { type: 'object', additionalProperties: true }
  const schema = { type: 'object', properties: { inner, any: {}, list: { items: inner } } }
  const before = structuredClone(schema)
  const described = asSchema(unvalidatedSchema(schema) as never)
  expect(await described.jsonSchema).toEqual(before)
  expect(described.validate).toBeUndefined()
})
