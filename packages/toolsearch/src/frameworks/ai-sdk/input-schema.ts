import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import { resolveLazy, type SdkSchema } from '../../catalogue/read-schema.ts'
import {
  isStandardSchema,
  type StandardSchema,
  type Validator,
  validatorOf,
} from '../../catalogue/standard-schema.ts'
import type { JsonSchema } from '../../catalogue/tool.ts'
import { validSchema } from '../../catalogue/valid-schema.ts'
import { isObject } from '../../is-object.ts'

export type AsSchema = (schema: never) => unknown

/** The input schema of a tool, of any kind. */
export interface InputSchema {
  /** @throws InvalidToolError */
  json(): Promise<JsonSchema>
  /** Absent if the schema only describes values. */
  readonly validator?: Validator
  /** The schema for the SDK. */
  guarded(guard: SchemaGuard): unknown
}

interface SchemaGuard {
  /** Called before a value is validated. A value is invalid if it throws. */
  check(): Promise<void>
  /** Whether the request contains the schema. If not, it is not converted. */
  isSent(): boolean
}

/** Reads the `inputSchema` of a tool. Converts it only when `json` is called. */
export function readInputSchema(name: string, source: unknown, asSchema?: AsSchema): InputSchema {
  const read = readSchema(name, asSchema ? asSchema(source as never) : source)
  return { ...read, json: () => convertOnce(source, read.json) }
}

// Every request has the same schemas, and converting them is the slowest part.
const converted = new WeakMap<object, Promise<JsonSchema>>()

function convertOnce(schema: unknown, convert: () => Promise<JsonSchema>): Promise<JsonSchema> {
  if (!isObject(schema)) return convert()
  const known = converted.get(schema)
  if (known) return known
  const json = convert()
  converted.set(schema, json)
  // it can succeed later, for example with asSchema
  json.catch(() => converted.delete(schema))
  return json
}

function readSchema(name: string, source: unknown): InputSchema {
  const schema = resolveLazy(source)
  if (isStandardSchema(schema)) return readStandard(name, schema)
  const described = (schema ?? unvalidatedSchema(NO_PARAMETERS)) as SdkSchema
  return {
    ...(described.validate && { validator: validatorOf(described, described.validate) }),
    json: () => toJson(name, () => described.jsonSchema),
    guarded: ({ check, isSent }) => {
      const validate = async (value: unknown) => {
        await check()
        return described.validate ? described.validate(value) : { success: true, value }
      }
      return Object.create(described, {
        validate: { value: validate },
        // A getter, because the SDK's own one may convert lazily.
        jsonSchema: { get: () => (isSent() ? valid(described.jsonSchema) : { ...NO_PARAMETERS }) },
      })
    },
  }
}

/** A provider rejects the whole request because of one invalid schema. */
function valid(schema: unknown): unknown {
  if (schema instanceof Promise) return schema.then(valid)
  return isObject(schema) ? validSchema(schema) : schema
}

/** What the SDK sends for a tool without a schema. */
const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
const SCHEMA = Symbol.for('vercel.ai.schema')

function readStandard(name: string, schema: StandardSchema): InputSchema {
  const standard = schema['~standard']
  return {
    validator: validatorOf(schema, standard.validate),
    json: () => toJson(name, () => standard.jsonSchema?.input({ target: 'draft-07' })),
    guarded: ({ check, isSent }) => {
      const validate = async (value: unknown) => {
        await check()
        return standard.validate(value)
      }
      const { jsonSchema } = standard
      const input: NonNullable<typeof jsonSchema>['input'] = (options) =>
        isSent() ? jsonSchema?.input(options) : { ...NO_PARAMETERS }
      // With vendor zod, the SDK would expect the rest of zod's interface.
      return {
        '~standard': {
          ...standard,
          vendor: 'toolsearch',
          validate,
          ...(jsonSchema && { jsonSchema: { ...jsonSchema, input } }),
        },
      }
    },
  }
}

async function toJson(name: string, convert: () => unknown): Promise<JsonSchema> {
  let reason = ''
  try {
    const schema = await convert()
    if (isObject(schema)) return schema
  } catch (error) {
    reason = `: ${(error as Error).message}`
  }
  const advice =
    'For zod/mini, zod before 4.2 and other libraries without JSON Schema support, pass asSchema from "ai".'
  throw new InvalidToolError(name, 'inputSchema', `has no JSON Schema${reason}. ${advice}`)
}

/**
 * An input schema for the SDK that has this JSON Schema but accepts any value. It is a schema of the SDK's own
 * kind, because the SDK closes every object of a Standard Schema: the model could pass no arguments to
 * `call_tool`.
 */
export function unvalidatedSchema(schema: JsonSchema): unknown {
  return { [SCHEMA]: true, jsonSchema: schema, validate: undefined }
}
