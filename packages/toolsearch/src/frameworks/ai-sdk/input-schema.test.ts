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
    expect(await read.json()).toEqual({ type: 'object', properties: {} })
    const ours = asSchema(read.guarded(acceptAll) as never)
    expect(await ours.jsonSchema).toEqual({ type: 'object', properties: {} })
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

it('unvalidatedSchema() returns the same JSON Schema each time, although the SDK modifies it', async () => {
  const schema = { type: 'object', properties: { in: { type: 'object', properties: {} } } }
  const before = structuredClone(schema)
  const described = unvalidatedSchema(schema)
  const first = JSON.stringify(await asSchema(described as never).jsonSchema)
  expect(JSON.stringify(await asSchema(described as never).jsonSchema)).toBe(first)
  expect(schema).toEqual(before)
})
