/** One line of a schema as a person reads it. */
export interface SchemaRow {
  /** Where it stands: `filter.since`, `items[]`. */
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly description?: string
  /** Defaults, choices and limits, each in a few words. */
  readonly notes: readonly string[]
}

type Schema = { readonly [key: string]: unknown }

const DEEPEST = 6

/** A JSON schema of an object as lines. Never throws: what it does not know it leaves out. */
export function schemaRows(schema: unknown): SchemaRow[] {
  const root = asSchema(schema)
  return rowsWithin(root, { root, path: '', depth: 0, seen: [root] })
}

interface Place {
  readonly root: Schema
  readonly path: string
  readonly depth: number
  /** Schemas on the way here: one that contains itself is not followed again. */
  readonly seen: readonly Schema[]
}

function rowsWithin(schema: Schema, place: Place): SchemaRow[] {
  if (place.depth > DEEPEST) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries(asSchema(schema.properties)).flatMap(([name, value]) =>
    rowsOf(name, asSchema(value), required.includes(name), place),
  )
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) =>
    listOf(schema[key]).flatMap((part) => follow(part, place)),
  )
  return [...own, ...parts]
}

function rowsOf(name: string, given: Schema, isRequired: boolean, place: Place): SchemaRow[] {
  const schema = resolve(given, place.root)
  const path = place.path === '' ? name : `${place.path}.${name}`
  const description = given.description ?? schema.description
  const row: SchemaRow = {
    path,
    name,
    depth: place.depth,
    type: typeWords(schema, place.root),
    isRequired,
    ...(typeof description === 'string' && description !== '' && { description }),
    notes: notesOf(schema),
  }
  const items = asSchema(schema.items)
  const inner = { ...place, path, depth: place.depth + 1 }
  return [row, ...follow(given, inner), ...follow(items, { ...inner, path: `${path}[]` })]
}

function follow(given: Schema, place: Place): SchemaRow[] {
  const schema = resolve(given, place.root)
  if (place.seen.includes(schema)) return []
  return rowsWithin(schema, { ...place, seen: [...place.seen, schema] })
}

function resolve(schema: Schema, root: Schema): Schema {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#')) return schema
  const keys = schema.$ref.slice(1).split('/').filter(Boolean)
  return keys.reduce<Schema>((at, key) => asSchema(at[key]), root)
}

function typeWords(schema: Schema, root: Schema): string {
  if (schema.const !== undefined) return 'constant'
  if (Array.isArray(schema.enum)) return 'choice'
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'array' || schema.items !== undefined) {
    const items = asSchema(schema.items)
    return Object.keys(items).length === 0
      ? 'list'
      : `list of ${typeWords(resolve(items, root), root)}`
  }
  if (typeof schema.type === 'string') return schema.type
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (choices.length > 0) {
    return [...new Set(choices.map((one) => typeWords(resolve(one, root), root)))].join(' or ')
  }
  return schema.properties === undefined ? 'anything' : 'object'
}

const limits: readonly [string, string][] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'above'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'below'],
  ['minLength', 'length at least'],
  ['maxLength', 'length at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
  ['pattern', 'matches'],
  ['format', 'format'],
  ['default', 'default'],
  ['const', 'always'],
]

function notesOf(schema: Schema): string[] {
  const choices = Array.isArray(schema.enum) ? [schema.enum.map(valueText).join(' | ')] : []
  const others = limits
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, words]) => `${words} ${valueText(schema[key])}`)
  return [...choices, ...others]
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.map(asSchema) : []
}

const NOTHING: Schema = {}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : NOTHING
}
