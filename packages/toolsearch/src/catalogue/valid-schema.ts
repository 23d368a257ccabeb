import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { resolvesReference, rootOf } from './resolves-reference.ts'
import {
  compiles,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  TYPES,
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

interface Context {
  /** The schema that references are relative to. */
  readonly root: unknown
  readonly isId: (reference: string) => boolean
}

function fixRoot(schema: JsonSchema): JsonSchema {
  let ids: ReadonlySet<unknown> | undefined
  const isId = (reference: string) => {
    ids ??= idsIn(schema)
    return ids.has(reference)
  }
  return fixSchema(schema, { root: schema, isId }) as JsonSchema
}

/** Returns the same object if it is valid: most schemas are, and copying them would be slow. */
function fixSchema(schema: unknown, outer: Context): unknown {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) {
    // `{ "city": "string" }` instead of `{ "city": { "type": "string" } }`
    const type = toJsonType(schema)
    return type === undefined ? {} : { type }
  }
  const root = rootOf(schema, outer.root)
  const context = root === outer.root ? outer : { ...outer, root }
  const fixed = fixMembers(schema, (value, keyword) => {
    const fix = FIXES.get(keyword)
    return fix === undefined ? value : fix(value, context)
  })
  return fixItems(addRequired(schema, fixed))
}

/** Applies `fix` to each member, and drops those for which it returns undefined. */
function fixMembers(
  object: Record<string, unknown>,
  fix: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(object)) {
    const value = object[key]
    const fixed = value === undefined ? undefined : fix(value, key)
    if (fixed === value && value !== undefined) continue
    copy ??= { ...object }
    if (fixed === undefined) delete copy[key]
    else copy[key] = fixed
  }
  return copy ?? object
}

function fixList(list: readonly unknown[], context: Context): readonly unknown[] {
  const fixed = list.map((item) => fixSchema(item, context))
  return fixed.every((item, index) => item === list[index]) ? list : fixed
}

type Fix = (value: unknown, context: Context) => unknown

const isString = (value: unknown) => typeof value === 'string'
const string = keepIf(isString)
const number = keepIf((value) => typeof value === 'number')
const count = keepIf((value) => Number.isInteger(value) && (value as number) >= 0)
const boolean = keepIf((value) => typeof value === 'boolean')
const anchor = keepIf((value) => isString(value) && /^[A-Za-z_][\w.-]*$/.test(value as string))

function keepIf(isValid: (value: unknown) => boolean): Fix {
  return (value) => (isValid(value) ? value : undefined)
}

/** For each keyword of the meta-schema, its valid value, or undefined to leave it out. */
const FIXES: ReadonlyMap<string, Fix> = new Map([
  ...each(['title', 'description', '$comment', 'format', '$dynamicRef'], string),
  ...each(['contentMediaType', 'contentEncoding'], string),
  ...each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], number),
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains'], count),
  ...each(['maxContains', 'minProperties', 'maxProperties'], count),
  ...each(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], boolean),
  ...each(['$anchor', '$dynamicAnchor'], anchor),
  ...each(SCHEMA_KEYWORDS, fixChild),
  ...each(SCHEMA_LIST_KEYWORDS, fixChildren),
  ...each(SCHEMA_MAP_KEYWORDS, fixMap),
  [
    'items',
    (value, context) => (Array.isArray(value) ? fixList : fixChild)(value as never, context),
  ],
  ['patternProperties', fixPatterns],
  ['dependencies', fixDependencies],
  ['type', fixType],
  ['$ref', (value, context) => (isResolved(value, context) ? value : undefined)],
  ['required', fixNames],
  ['examples', (value) => (Array.isArray(value) ? value : [value])],
  ['multipleOf', keepIf((value) => typeof value === 'number' && value > 0)],
  ['pattern', keepIf(compiles)],
  ['enum', keepIf((value) => Array.isArray(value) && value.length > 0)],
  [
    '$schema',
    keepIf((value) => isString(value) && /^https?:\/\/json-schema\.org\//.test(value as string)),
  ],
  ['$id', keepIf((value) => isString(value) && /^[^#]*#?$/.test(value as string))],
  ['$vocabulary', () => undefined],
  ['dependentRequired', (value) => (isObject(value) ? fixMembers(value, fixNames) : undefined)],
])

function each(keywords: readonly string[], fix: Fix): [string, Fix][] {
  return keywords.map((keyword) => [keyword, fix])
}

function fixChild(value: unknown, context: Context): unknown {
  return isSchema(value) ? fixSchema(value, context) : undefined
}

function fixChildren(value: unknown, context: Context): unknown {
  const list = fixList(Array.isArray(value) ? value : isSchema(value) ? [value] : [], context)
  return list.length > 0 ? list : undefined
}

function fixMap(value: unknown, context: Context): unknown {
  return isObject(value) ? fixMembers(value, (child) => fixSchema(child, context)) : undefined
}

function fixPatterns(value: unknown, context: Context): unknown {
  if (!isObject(value)) return undefined
  return fixMembers(value, (child, key) => (compiles(key) ? fixSchema(child, context) : undefined))
}

/** A list of names without repeats, or undefined if it is something else. */
function fixNames(value: unknown): readonly string[] | undefined {
  return isListOfStrings(value) ? withoutRepeats(value) : undefined
}

/** Before 2019-09, dependencies can be lists of property names. */
function fixDependencies(value: unknown, context: Context): unknown {
  if (!isObject(value)) return undefined
  return fixMembers(value, (child) => fixNames(child) ?? fixSchema(child, context))
}

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean' || toJsonType(value) !== undefined
}

/** Providers resolve references only within the schema. */
function isResolved(reference: unknown, { root, isId }: Context): boolean {
  if (typeof reference !== 'string') return false
  return reference.startsWith('#') ? resolvesReference(reference, root) : isId(reference)
}

function fixType(type: unknown): unknown {
  if (TYPES.includes(type as string)) return type
  if (!Array.isArray(type)) return toJsonType(type)
  const known = new Set(type.map(toJsonType))
  // A union with a type that we don't know can be anything.
  if (known.size === 0 || known.has(undefined)) return undefined
  const isValid = known.size === type.length && type.every((name) => known.has(name))
  return isValid ? type : [...known]
}

/** Draft 3 writes `required: true` on the property itself. */
function addRequired(
  { properties }: Record<string, unknown>,
  fixed: Record<string, unknown>,
): Record<string, unknown> {
  // then a property is invalid, so `fixed` is a copy
  if (!isObject(properties) || fixed.properties === properties) return fixed
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name]
    return isObject(property) && property.required === true
  })
  if (names.length === 0) return fixed
  const others = (fixed.required as readonly string[] | undefined) ?? []
  return { ...fixed, required: withoutRepeats([...others, ...names]) }
}

/** Drafts before 2020-12 write a tuple as `items: [ … ]`. OpenAI rejects an array without `items`. */
function fixItems(schema: Record<string, unknown>): Record<string, unknown> {
  const { items, type } = schema
  if (Array.isArray(items)) {
    const { items: _, additionalItems, ...rest } = schema
    return fixItems({
      ...(items.length > 0 && { prefixItems: items }),
      ...rest,
      ...(additionalItems !== undefined && { items: additionalItems }),
    })
  }
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isArray && items === undefined ? { ...schema, items: {} } : schema
}

function idsIn(node: unknown, ids: Set<unknown> = new Set()): Set<unknown> {
  if (typeof node !== 'object' || node === null) return ids
  if ('$id' in node) ids.add(node.$id)
  for (const child of Object.values(node)) idsIn(child, ids)
  return ids
}

function withoutRepeats(names: readonly string[]): readonly string[] {
  const unique = new Set(names)
  return unique.size === names.length ? names : [...unique]
}
