import { isObject } from '../is-object.ts'
import { resolvesReference } from './resolves-reference.ts'
import {
  compiles,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  toJsonType,
} from './schema-keywords.ts'
import type { JsonSchema } from './tool.ts'

const cache = new WeakMap<JsonSchema, JsonSchema>()

/**
 * The schema as providers accept it: valid against the meta-schema of draft 2020-12. A provider
 * rejects the whole request if the schema of one tool is invalid. Type names of other languages
 * become JSON types (`dict` → `object`), older drafts are translated, and what cannot be fixed, such
 * as a dangling reference, is left out. Returns the same object if it is valid.
 *
 * @example
 * validSchema({ type: 'dict', properties: { size: { type: 'float' } } })
 * // { type: 'object', properties: { size: { type: 'number' } } }
 */
export function validSchema(schema: JsonSchema): JsonSchema {
  let valid = cache.get(schema)
  if (valid === undefined) {
    const fixed = fixRoot(schema)
    // What was left out may have been the target of a reference.
    valid = fixed === schema ? schema : fixRoot(fixed)
    cache.set(schema, valid)
  }
  return valid
}

const isString = (value: unknown) => typeof value === 'string'
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => typeof value === 'number'
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0
const isNames = (value: unknown) => Array.isArray(value) && value.every(isString)
const isAnchor = (value: unknown) => typeof value === 'string' && /^[A-Za-z_][\w.-]*$/.test(value)

/** What the meta-schema says about keywords that contain no schema. */
const VALID: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...each(['title', 'description', '$comment', 'format'], isString),
  ...each(['contentMediaType', 'contentEncoding', '$dynamicRef'], isString),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], isNumber),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains'], isCount),
  ...each(['maxContains', 'minProperties', 'maxProperties'], isCount),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], isBoolean),
  ...each(['$anchor', '$dynamicAnchor'], isAnchor),
  multipleOf: (value) => typeof value === 'number' && value > 0,
  pattern: compiles,
  enum: (value) => Array.isArray(value) && value.length > 0,
  $schema: (value) => typeof value === 'string' && /^https?:\/\/json-schema\.org\//.test(value),
  $id: (value) => typeof value === 'string' && /^[^#]*#?$/.test(value),
  $vocabulary: () => false,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(isNames),
}

function each<Value>(keys: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(keys.map((key) => [key, value]))
}

function fixRoot(schema: JsonSchema): JsonSchema {
  let ids: ReadonlySet<unknown> | undefined
  const isId = (reference: string) => {
    ids ??= idsIn(schema)
    return ids.has(reference)
  }
  return fixSchema(schema, { root: schema, isId }) as JsonSchema
}

interface Context {
  /** The schema that references are relative to. */
  readonly root: unknown
  readonly isId: (reference: string) => boolean
}

function fixSchema(schema: unknown, outer: Context): unknown {
  if (typeof schema === 'boolean') return schema
  // `{ "city": "string" }` instead of `{ "city": { "type": "string" } }`
  if (!isObject(schema)) return { ...fixType(schema) }
  const { $id } = schema
  const hasOwnRoot = typeof $id === 'string' && !$id.startsWith('#')
  const context = hasOwnRoot ? { ...outer, root: schema } : outer
  const entries = Object.entries(schema).filter(([, value]) => value !== undefined)
  const fixed: Record<string, unknown> = Object.fromEntries(
    entries.flatMap(([keyword, value]) => Object.entries(fixKeyword(keyword, value, context))),
  )
  addRequired(schema, fixed)
  fixItems(schema, fixed)
  return isSame(schema, fixed) ? schema : fixed
}

/** The keyword with a valid value, or nothing. */
function fixKeyword(keyword: string, value: unknown, context: Context): Record<string, unknown> {
  if (keyword === '$ref') return isResolved(value, context) ? { $ref: value } : {}
  if (keyword === 'type') return fixType(value)
  if (keyword === 'examples') return { examples: Array.isArray(value) ? value : [value] }
  if (keyword === 'required') return isNames(value) ? { required: withoutRepeats(value) } : {}
  if (Object.hasOwn(VALID, keyword)) return VALID[keyword]!(value) ? { [keyword]: value } : {}
  if (SCHEMA_KEYWORDS.includes(keyword)) {
    if (keyword === 'items' && Array.isArray(value)) return { items: fixList(value, context) }
    return isSchema(value) ? { [keyword]: fixSchema(value, context) } : {}
  }
  if (SCHEMA_LIST_KEYWORDS.includes(keyword)) {
    const list = fixList(Array.isArray(value) ? value : isSchema(value) ? [value] : [], context)
    return list.length > 0 ? { [keyword]: list } : {}
  }
  if (SCHEMA_MAP_KEYWORDS.includes(keyword)) {
    return isObject(value) ? { [keyword]: fixMap(keyword, value, context) } : {}
  }
  return { [keyword]: value }
}

/** Providers resolve references only within the schema. */
function isResolved(reference: unknown, { root, isId }: Context): boolean {
  if (typeof reference !== 'string') return false
  return reference.startsWith('#') ? resolvesReference(reference, root) : isId(reference)
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean' || toJsonType(value) !== undefined
}

function fixType(type: unknown): { type?: string | readonly string[] } {
  if (!Array.isArray(type)) {
    const known = toJsonType(type)
    return known === undefined ? {} : { type: known }
  }
  const known = new Set(type.map(toJsonType))
  // A union with a type that we don't know can be anything.
  if (known.size === 0 || known.has(undefined)) return {}
  const isValid = known.size === type.length && type.every((name) => known.has(name))
  return { type: isValid ? type : ([...known] as string[]) }
}

function fixList(list: readonly unknown[], context: Context): readonly unknown[] {
  const fixed = list.map((item) => fixSchema(item, context))
  return fixed.every((item, index) => item === list[index]) ? list : fixed
}

function fixMap(
  keyword: string,
  map: Record<string, unknown>,
  context: Context,
): Record<string, unknown> {
  // Before 2019-09, dependencies can be lists of property names.
  const isList = (value: unknown) => keyword === 'dependencies' && isNames(value)
  const entries = Object.entries(map).filter(
    ([key, value]) => value !== undefined && (keyword !== 'patternProperties' || compiles(key)),
  )
  const fixed = Object.fromEntries(
    entries.map(([key, value]) => [key, isList(value) ? value : fixSchema(value, context)]),
  )
  return isSame(map, fixed) ? map : fixed
}

/** Draft 3 writes `required: true` on the property itself. */
function addRequired(schema: Record<string, unknown>, fixed: Record<string, unknown>): void {
  if (!isObject(schema.properties)) return
  const names = Object.entries(schema.properties)
    .filter(([, property]) => isObject(property) && property.required === true)
    .map(([name]) => name)
  if (names.length === 0) return
  fixed.required = withoutRepeats([...((fixed.required as string[] | undefined) ?? []), ...names])
}

/** Drafts before 2020-12 write a tuple as `items: [ … ]`. OpenAI rejects an array without `items`. */
function fixItems(schema: Record<string, unknown>, fixed: Record<string, unknown>): void {
  const { items, additionalItems } = fixed
  if (Array.isArray(items)) {
    delete fixed.items
    if (items.length > 0) fixed.prefixItems ??= items
    if (additionalItems !== undefined) fixed.items = additionalItems
    delete fixed.additionalItems
  }
  const isArray = fixed.type === 'array' || (isNames(fixed.type) && includes(fixed.type, 'array'))
  if (isArray && fixed.items === undefined && schema.$ref === undefined) fixed.items = {}
}

function includes(list: unknown, value: string): boolean {
  return (list as readonly string[]).includes(value)
}

function idsIn(node: unknown, ids: Set<unknown> = new Set()): Set<unknown> {
  if (typeof node !== 'object' || node === null) return ids
  if ('$id' in node) ids.add(node.$id)
  for (const child of Object.values(node)) idsIn(child, ids)
  return ids
}

function withoutRepeats(names: unknown): readonly string[] {
  const list = names as readonly string[]
  const unique = new Set(list)
  return unique.size === list.length ? list : [...unique]
}

function isSame(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  const keys = Object.keys(b)
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key])
}
