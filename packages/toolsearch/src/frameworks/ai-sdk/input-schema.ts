import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import type { JsonSchema } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'

/** What `jsonSchema()` of the SDK makes, and `asSchema()` of anything. */
interface SdkSchema {
  readonly jsonSchema: unknown
  readonly validate?: ((value: unknown) => unknown) | undefined
}

/** What zod, valibot, ArkType and others have in common, see standardschema.dev. */
interface StandardSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => unknown
    readonly jsonSchema?: { input(options: { target: 'draft-07' }): unknown }
  }
}

export type AsSchema = (schema: never) => unknown

/** A tool's input schema, of whatever kind. */
export interface InputSchema {
  /** Whether it checks values, or only describes them. */
  readonly validates: boolean
  /** @throws InvalidToolError */
  json(): Promise<JsonSchema>
  /** The same for the SDK, with a look at each value first. What `look` throws makes it invalid. */
  guarded(look: (value: unknown) => Promise<void>): unknown
}

/** Reads what a tool has as its `inputSchema`. Converts nothing before it is asked to. */
export function readInputSchema(name: string, given: unknown, asSchema?: AsSchema): InputSchema {
  const read = readSchema(name, asSchema ? asSchema(given as never) : given)
  return { ...read, json: () => once(given, read.json) }
}

// the same schemas come with every request, and to convert them takes longer than all the rest
const converted = new WeakMap<object, Promise<JsonSchema>>()

function once(given: unknown, convert: () => Promise<JsonSchema>): Promise<JsonSchema> {
  if (!isObject(given)) return convert()
  const known = converted.get(given) ?? convert()
  converted.set(given, known)
  return known
}

function readSchema(name: string, given: unknown): InputSchema {
  const schema = isLazy(given) ? given() : given
  if (isStandard(schema)) return readStandard(name, schema)
  const described = (schema ?? { jsonSchema: NO_PARAMETERS, [SCHEMA]: true }) as SdkSchema
  return {
    validates: described.validate !== undefined,
    json: () => toJson(name, () => described.jsonSchema),
    guarded: (look) => {
      const validate = async (value: unknown) => {
        await look(value)
        return described.validate ? described.validate(value) : { success: true, value }
      }
      // its JSON Schema may be made when it is asked for: a copy would ask
      return Object.create(described, { validate: { value: validate } })
    },
  }
}

const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} }
const SCHEMA = Symbol.for('vercel.ai.schema')

function readStandard(name: string, schema: StandardSchema): InputSchema {
  const standard = schema['~standard']
  return {
    validates: true,
    json: () => toJson(name, () => standard.jsonSchema?.input({ target: 'draft-07' })),
    guarded: (look) => {
      const validate = async (value: unknown) => {
        await look(value)
        return standard.validate(value)
      }
      // by another name, or the SDK looks for the rest of zod in it
      return { '~standard': { ...standard, vendor: 'toolsearch', validate } }
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
    'For zod/mini, zod before 4.2 and others that cannot tell it, pass asSchema of "ai".'
  throw new InvalidToolError(name, 'inputSchema', `has no JSON Schema${reason}. ${advice}`)
}

function isStandard(schema: unknown): schema is StandardSchema {
  const canHave = isObject(schema) || typeof schema === 'function'
  return canHave && '~standard' in schema
}

function isLazy(schema: unknown): schema is () => unknown {
  return typeof schema === 'function' && !('~standard' in schema)
}

/** An input schema for the SDK that says this and takes anything: whoever gets the input checks it. */
export function describing(schema: JsonSchema): unknown {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolsearch',
      validate: (value: unknown) => ({ value }),
      // the SDK writes into what it gets
      jsonSchema: { input: () => structuredClone(schema), output: () => structuredClone(schema) },
    },
  }
}
