/** One property of a schema, for display. */
export interface SchemaRow {
  /** Such as `filter.since` or `items[].name`. */
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly description?: string
  /** Defaults, choices and limits. */
  readonly notes: readonly string[]
}

/** A part of a JSON schema. */
export type Schema = { readonly [key: string]: unknown }

const MAX_DEPTH = 6
/** Keeps recursive types finite. */
const MAX_TYPE_DEPTH = 3
/** Definitions that refer to each other can have exponentially many paths. */
const MAX_STEPS = 10_000
export const MAX_ROWS = 2_000

/**
 * Lists the properties of a JSON schema, at most `MAX_ROWS`. Never throws: skips keywords that it
 * does not support.
 */
export function schemaRows(schema: unknown): SchemaRow[] {
  const root = asSchema(schema)
  const left = { steps: MAX_STEPS }
  return rowsWithin(root, { root, path: '', depth: 0, seen: [root], left }).slice(0, MAX_ROWS)
}

interface Place {
  readonly root: Schema
  readonly path: string
  readonly depth: number
  /** The enclosing schemas, to detect recursion. */
  readonly seen: readonly Schema[]
  /** Decremented by every schema that is followed. */
  readonly left: { steps: number }
}

function rowsWithin(schema: Schema, place: Place): SchemaRow[] {
  if (place.depth > MAX_DEPTH) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries(asSchema(schema.properties)).flatMap(([name, value]) =>
    rowsOf(name, asSchema(value), required.includes(name), place),
  )
  const all = listOf(schema.allOf).flatMap((part) => follow(part, place))
  return [...own, ...all, ...optionRows(schema.anyOf, place), ...optionRows(schema.oneOf, place)]
}

/** The rows of alternatives (`anyOf`, `oneOf`), numbered because each has its own required properties. */
function optionRows(alternatives: unknown, place: Place): SchemaRow[] {
  const options = listOf(alternatives)
    .map((option) => follow(option, place))
    .filter((rows) => rows.length > 0)
  if (options.length < 2) return options.flat()
  return options.flatMap((rows, at) =>
    rows.map((row) =>
      row.depth === place.depth
        ? { ...row, notes: [`option ${at + 1} of ${options.length}`, ...row.notes] }
        : row,
    ),
  )
}

function rowsOf(name: string, given: Schema, isRequired: boolean, place: Place): SchemaRow[] {
  const schema = resolveSchema(given, place.root)
  const path = place.path === '' ? name : `${place.path}.${name}`
  const description = given.description ?? schema.description
  const row: SchemaRow = {
    path,
    name,
    depth: place.depth,
    type: describeType(schema, place.root),
    isRequired,
    ...(typeof description === 'string' && description !== '' && { description }),
    notes: notesOf(schema),
  }
  const items = asSchema(schema.items)
  const inner = { ...place, path, depth: place.depth + 1 }
  return [row, ...follow(given, inner), ...follow(items, { ...inner, path: `${path}[]` })]
}

function follow(given: Schema, place: Place): SchemaRow[] {
  const schema = resolveSchema(given, place.root)
  if (place.seen.includes(schema) || place.left.steps-- <= 0) return []
  return rowsWithin(schema, { ...place, seen: [...place.seen, schema] })
}

/** Resolves a reference, including chains of references. */
export function resolveSchema(schema: Schema, root: Schema): Schema {
  let at = schema
  for (let step = 0; step < MAX_DEPTH; step++) {
    if (typeof at.$ref !== 'string' || !at.$ref.startsWith('#')) return at
    const keys = at.$ref.slice(1).split('/').filter(Boolean)
    at = keys.reduce<Schema>((inner, key) => asSchema(inner[unescapeKey(key)]), root)
  }
  return NOTHING
}

/** JSON pointers escape a slash as `~1`, and URLs a space as `%20`. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return key
  }
}

function describeType(schema: Schema, root: Schema, depth = 0): string {
  if (depth > MAX_TYPE_DEPTH) return '…'
  const within = (inner: Schema) => describeType(resolveSchema(inner, root), root, depth + 1)
  if (schema.const !== undefined) return 'constant'
  if (Array.isArray(schema.enum)) return 'choice'
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'array' || schema.items !== undefined) {
    const items = asSchema(schema.items)
    return Object.keys(items).length === 0 ? 'list' : `list of ${within(items)}`
  }
  if (typeof schema.type === 'string') return schema.type
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (choices.length > 0) {
    return [...new Set(choices.map(within))].join(' or ')
  }
  return schema.properties === undefined ? 'anything' : 'object'
}

const limits: readonly [string, string][] = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'above'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'below'],
  ['minLength', 'minimum length'],
  ['maxLength', 'maximum length'],
  ['minItems', 'minimum items'],
  ['maxItems', 'maximum items'],
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

/** An empty schema for anything but an object. */
export function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Schema)
    : NOTHING
}
