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
/** So many words make a type: what contains itself has no end. */
const DEEPEST_TYPE = 3
/** Definitions that name each other could be followed for ever, each time another way. */
const MOST_STEPS = 10_000
export const MOST_ROWS = 2_000

/**
 * A JSON schema of an object as lines, `MOST_ROWS` at most. Never throws: what it does not know it
 * leaves out.
 */
export function schemaRows(schema: unknown): SchemaRow[] {
  const root = asSchema(schema)
  const left = { steps: MOST_STEPS }
  return rowsWithin(root, { root, path: '', depth: 0, seen: [root], left }).slice(0, MOST_ROWS)
}

interface Place {
  readonly root: Schema
  readonly path: string
  readonly depth: number
  /** Schemas on the way here: one that contains itself is not followed again. */
  readonly seen: readonly Schema[]
  /** Counted down by every schema that is looked into. */
  readonly left: { steps: number }
}

function rowsWithin(schema: Schema, place: Place): SchemaRow[] {
  if (place.depth > DEEPEST) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  const own = Object.entries(asSchema(schema.properties)).flatMap(([name, value]) =>
    rowsOf(name, asSchema(value), required.includes(name), place),
  )
  const all = listOf(schema.allOf).flatMap((part) => follow(part, place))
  return [...own, ...all, ...formRows(schema.anyOf, place), ...formRows(schema.oneOf, place)]
}

/** Of several forms each says which it is: what one requires, another need not. */
function formRows(given: unknown, place: Place): SchemaRow[] {
  const forms = listOf(given)
    .map((form) => follow(form, place))
    .filter((rows) => rows.length > 0)
  if (forms.length < 2) return forms.flat()
  return forms.flatMap((rows, at) =>
    rows.map((row) =>
      row.depth === place.depth
        ? { ...row, notes: [`form ${at + 1} of ${forms.length}`, ...row.notes] }
        : row,
    ),
  )
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
  if (place.seen.includes(schema) || place.left.steps-- <= 0) return []
  return rowsWithin(schema, { ...place, seen: [...place.seen, schema] })
}

/** What a reference leads to, also by way of others. */
function resolve(schema: Schema, root: Schema): Schema {
  let at = schema
  for (let step = 0; step < DEEPEST; step++) {
    if (typeof at.$ref !== 'string' || !at.$ref.startsWith('#')) return at
    const keys = at.$ref.slice(1).split('/').filter(Boolean)
    at = keys.reduce<Schema>((inner, key) => asSchema(inner[plainKey(key)]), root)
  }
  return NOTHING
}

/** In a reference `~1` stands for a slash, and `%20` for a space. */
function plainKey(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return key
  }
}

function typeWords(schema: Schema, root: Schema, depth = 0): string {
  if (depth > DEEPEST_TYPE) return '…'
  const within = (inner: Schema) => typeWords(resolve(inner, root), root, depth + 1)
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
