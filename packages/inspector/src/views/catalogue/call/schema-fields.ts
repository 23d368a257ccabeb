import { asSchema, resolveSchema, type Schema } from '../../../parts/schema-rows.ts'

/** A field of a form for the arguments of a tool. */
export interface Field {
  /** The name of the property; empty for items of a list. */
  readonly name: string
  readonly input: Input
  readonly isRequired: boolean
  readonly description?: string
  /** Filled in; absent if the schema has no default. */
  readonly initial?: unknown
}

export type Input =
  | { readonly kind: 'text'; readonly isLong: boolean; readonly format?: string }
  | {
      readonly kind: 'number'
      readonly isWhole: boolean
      readonly min?: number
      readonly max?: number
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly unknown[] }
  | { readonly kind: 'list'; readonly item: Field }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  /** Anything a form cannot represent, such as `oneOf`. */
  | { readonly kind: 'json' }

/** Deeper objects are edited as JSON. */
const MAX_DEPTH = 4
const MAX_FIELDS = 200

/**
 * The fields for the properties of an object schema, required ones first; `undefined` if only JSON
 * can express what the schema allows.
 */
export function schemaFields(schema: unknown): readonly Field[] | undefined {
  const root = asSchema(schema)
  const input = inputOf(resolveSchema(root, root), root, 0)
  return input.kind === 'object' ? input.fields : undefined
}

const combinators = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'dependentSchemas',
]

function fieldOf(
  name: string,
  given: Schema,
  isRequired: boolean,
  root: Schema,
  depth: number,
): Field {
  const schema = withoutNull(resolveSchema(given, root), root)
  const description = given.description ?? schema.description
  const initial = given.default ?? schema.default ?? schema.const
  return {
    name,
    input: inputOf(schema, root, depth),
    isRequired,
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(initial !== undefined && { initial }),
  }
}

function inputOf(schema: Schema, root: Schema, depth: number): Input {
  if (depth > MAX_DEPTH || combinators.some((key) => schema[key] !== undefined)) return JSON_INPUT
  if (schema.const !== undefined) return { kind: 'choice', options: [schema.const] }
  if (Array.isArray(schema.enum)) return { kind: 'choice', options: schema.enum }
  switch (schema.type) {
    case 'string':
      return {
        kind: 'text',
        isLong: Number(schema.maxLength ?? 0) > 200,
        ...(typeof schema.format === 'string' && { format: schema.format }),
      }
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: schema.type === 'integer',
        ...(typeof schema.minimum === 'number' && { min: schema.minimum }),
        ...(typeof schema.maximum === 'number' && { max: schema.maximum }),
      }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array': {
      const items = asSchema(schema.items)
      if (Object.keys(items).length === 0) return JSON_INPUT
      const item = fieldOf('', items, true, root, depth + 1)
      return { kind: 'list', item }
    }
    case 'object':
    case undefined:
      return objectInput(schema, root, depth)
    default:
      return JSON_INPUT
  }
}

function objectInput(schema: Schema, root: Schema, depth: number): Input {
  const properties = Object.entries(asSchema(schema.properties))
  if (properties.length > MAX_FIELDS) return JSON_INPUT
  // Free keys need JSON. At the top, no properties means no arguments.
  if (properties.length === 0 && (depth > 0 || isOpen(schema))) return JSON_INPUT
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = properties.map(([name, value]) =>
    fieldOf(name, asSchema(value), required.includes(name), root, depth + 1),
  )
  return {
    kind: 'object',
    fields: [
      ...fields.filter(({ isRequired }) => isRequired),
      ...fields.filter(({ isRequired }) => !isRequired),
    ],
  }
}

function isOpen({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object' || additionalProperties === true
}

/** `string | null` is an optional string in a form: an empty field is left out. */
function withoutNull(schema: Schema, root: Schema): Schema {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    return { ...schema, type: types.length === 1 ? types[0] : types }
  }
  const { anyOf, oneOf, ...rest } = schema
  const options = Array.isArray(anyOf) ? anyOf : oneOf
  if (!Array.isArray(options) || (anyOf !== undefined && oneOf !== undefined)) return schema
  const others = options.map(asSchema).filter(({ type }) => type !== 'null')
  if (others.length !== 1 || others.length === options.length) return schema
  return { ...rest, ...resolveSchema(others[0]!, root) }
}

const JSON_INPUT: Input = { kind: 'json' }
