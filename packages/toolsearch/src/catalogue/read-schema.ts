import { isObject } from '../is-object.ts'
import { kindOf } from './kind-of.ts'
import {
  isStandardSchema,
  type StandardSchema,
  type ToJsonSchema,
  type Validator,
  validatorOf,
} from './standard-schema.ts'
import type { JsonSchema } from './tool.ts'

/** A schema as JSON Schema, with its own validation if it has one; or why it cannot be used. */
export type SchemaReading =
  | { readonly json: JsonSchema; readonly validator?: Validator }
  | { readonly problem: string }

/** Reads a schema of any kind: JSON Schema, Standard Schema, or a schema of the AI SDK. */
export function readSchema(
  schema: unknown,
  side: 'input' | 'output',
  toJsonSchema: ToJsonSchema | undefined,
): SchemaReading {
  try {
    return read(resolveLazy(schema), side, toJsonSchema)
  } catch (error) {
    return { problem: `cannot be converted to JSON Schema: ${(error as Error)?.message ?? error}` }
  }
}

function read(
  schema: unknown,
  side: 'input' | 'output',
  toJsonSchema: ToJsonSchema | undefined,
): SchemaReading {
  if (isStandardSchema(schema)) {
    const { validate } = schema['~standard']
    const json = convertStandard(schema, side, toJsonSchema)
    if ('problem' in json) return json
    return { ...json, validator: validatorOf(schema, validate) }
  }
  if (!isObject(schema)) {
    return {
      problem: `must be a JSON Schema object or a Standard Schema, got ${kindOf(schema)}`,
    }
  }
  if (isSdkSchema(schema)) return readSdkSchema(schema)
  // a schema library that predates Standard Schema
  if (typeof schema.safeParse === 'function' || typeof schema.validate === 'function') {
    if (toJsonSchema) return asJson(toJsonSchema(schema as never))
    return { problem: `is not JSON Schema. ${ADVICE}` }
  }
  return { json: schema }
}

const ADVICE =
  'Pass a converter: createToolSearch({ toJsonSchema: (schema) => … }), or convert it yourself.'
const ADVICE_BY_VENDOR = new Map([
  [
    'zod',
    'Use zod 4.2 or later, or pass a converter: createToolSearch({ toJsonSchema: z.toJSONSchema }).',
  ],
  ['valibot', 'Pass the converter of @valibot/to-json-schema: createToolSearch({ toJsonSchema }).'],
])

/** The library has JSON Schema support, but this schema contains something JSON cannot express. */
const ADVICE_IF_UNREPRESENTABLE = new Map([
  [
    'zod',
    "Use another type, or accept any value there: createToolSearch({ toJsonSchema: (s) => z.toJSONSchema(s, { unrepresentable: 'any' }) }).",
  ],
])

function convertStandard(
  schema: StandardSchema,
  side: 'input' | 'output',
  toJsonSchema: ToJsonSchema | undefined,
): SchemaReading {
  const { vendor, jsonSchema } = schema['~standard']
  let reason = 'has no JSON Schema support'
  let advice = ADVICE_BY_VENDOR.get(vendor)
  if (jsonSchema) {
    try {
      return asJson(jsonSchema[side]({ target: 'draft-2020-12' }))
    } catch (error) {
      reason = `cannot convert it to JSON Schema (${(error as Error)?.message ?? error})`
      advice = ADVICE_IF_UNREPRESENTABLE.get(vendor)
    }
  }
  if (toJsonSchema) return asJson(toJsonSchema(schema as never))
  return { problem: `is a schema of ${vendor}, which ${reason}. ${advice ?? ADVICE}` }
}

function asJson(json: unknown): SchemaReading {
  if (isPromise(json)) {
    json.catch(() => {})
    return { problem: 'is converted to JSON Schema asynchronously; await it before you pass it' }
  }
  if (!isObject(json)) return { problem: `was converted to ${kindOf(json)}, not to a JSON Schema` }
  // it only repeats the draft
  const { $schema: _, ...rest } = json
  return { json: rest }
}

/** The result of the AI SDK's `jsonSchema()`, `zodSchema()` and `asSchema()`. */
export interface SdkSchema {
  /** Possibly a promise, and possibly a getter that converts on first use. */
  readonly jsonSchema: unknown
  readonly validate?: ((value: unknown) => unknown) | undefined
}

const SDK_SCHEMA = Symbol.for('vercel.ai.schema')

function isSdkSchema(schema: object): schema is SdkSchema {
  return SDK_SCHEMA in schema
}

function readSdkSchema(schema: SdkSchema): SchemaReading {
  const reading = asJson(schema.jsonSchema)
  if ('problem' in reading || schema.validate === undefined) return reading
  return { ...reading, validator: validatorOf(schema, schema.validate) }
}

/** The AI SDK accepts a function that returns the schema. ArkType's schemas are functions as well. */
export function resolveLazy(schema: unknown): unknown {
  return typeof schema === 'function' && !isStandardSchema(schema) ? schema() : schema
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}
