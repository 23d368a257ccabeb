import type { JsonSchema } from 'toolsearch'
import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import { decodePercent } from '../../system/percent-encoding.ts'

/** Added to every subschema: how much work it is to apply it once. */
export const COST = 'x-toolsearch-cost'
/** Replaces `uniqueItems`, which compares each item with every other. */
export const UNIQUE = 'x-toolsearch-unique'

/** The value of `COST`. */
export interface SchemaCost {
  /** Steps for any value. */
  readonly steps: number
  /** Whether each character of a string is read. */
  readonly readsText: boolean
  /** Whether each key of an object is read. */
  readonly readsKeys: boolean
}

const SCHEMA_KEYWORDS = new Set([
  ...['additionalProperties', 'additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['contains', 'propertyNames'],
])
const SCHEMA_LIST_KEYWORDS = new Set(['allOf', 'anyOf', 'prefixItems'])
const SCHEMA_MAP_KEYWORDS = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
])
/** Not checked, or resolved where the cost of the target is unknown. */
const UNSUPPORTED = ['$id', '$dynamicRef', '$recursiveRef', '$data']
/**
 * `id` is the `$id` of draft 4. Ajv rejects it, and no reference needs it here. The negation of a schema
 * that accepts more than the original would reject more.
 */
const DROPPED = new Set([
  ...['$schema', 'id', 'format', 'contentSchema', 'default', 'examples'],
  ...['not', 'if', 'then', 'else', 'maxContains'],
])
const READ_TEXT = ['minLength', 'maxLength']
const READ_KEYS = ['additionalProperties', 'patternProperties', 'propertyNames', 'maxProperties']

/** Compiling one subschema takes about 0.2 ms, and blocks the process. */
const MAX_SUBSCHEMAS = 250
/** Values of `enum` and `const`, names in `required`, and so on. */
const MAX_ENTRIES = 20_000

/** The schema is too large, or contains something whose cost has no bound. */
class UnboundedSchemaError extends Error {
  override readonly name = 'UnboundedSchemaError'
}

/**
 * Prepares a schema for a validator that counts its steps. The result accepts everything that a
 * server with this schema may accept:
 *
 * - A required property with a default may be left out: the server adds it.
 * - Properties that the schema excludes are accepted: many servers ignore them.
 *
 * @throws UnboundedSchemaError if the schema cannot be checked within bounds
 */
export function boundedSchema(schema: JsonSchema): JsonObject {
  const { $id: _, ...root } = schema
  const pointers = new Set<string>()
  const references: string[] = []
  let entries = 0
  const bounded = visit(root, '#') as JsonObject
  for (const reference of references) {
    // Only subschemas that have been visited have a cost.
    if (!pointers.has(decodeReference(reference))) throw unbounded(`It refers to "${reference}".`)
  }
  return bounded

  function visit(node: unknown, pointer: string): unknown {
    if (typeof node === 'boolean') {
      pointers.add(pointer)
      return node
    }
    if (!isObject(node)) throw unbounded(`"${pointer}" is not a schema.`)
    if (pointers.size >= MAX_SUBSCHEMAS) throw unbounded('It is too large.')
    pointers.add(pointer)
    const found = UNSUPPORTED.find((keyword) => Object.hasOwn(node, keyword))
    if (found) throw unbounded(`It uses ${found}.`)
    if (typeof node.$ref === 'string') references.push(node.$ref)
    if (typeof node.$anchor === 'string') pointers.add(`#${node.$anchor}`)
    const copy: Record<string, unknown> = {}
    let steps = 1
    for (const [keyword, value] of Object.entries(node)) {
      const at = `${pointer}/${keyword}`
      if (DROPPED.has(keyword) || isExclusion(keyword, value)) continue
      if (keyword === 'uniqueItems') {
        if (value === true) copy[UNIQUE] = true
      } else if (keyword === 'items' || keyword === 'dependencies') {
        copy[keyword] = Array.isArray(value) ? visitList(value, at) : visitItems(keyword, value, at)
      } else if (SCHEMA_KEYWORDS.has(keyword)) copy[keyword] = visit(value, at)
      else if (keyword === 'oneOf') {
        // Several alternatives may match, because excluded properties are accepted.
        if (node.anyOf === undefined) copy.anyOf = visitList(value, at)
      } else if (SCHEMA_LIST_KEYWORDS.has(keyword)) copy[keyword] = visitList(value, at)
      else if (SCHEMA_MAP_KEYWORDS.has(keyword)) copy[keyword] = visitMap(value, at)
      else {
        copy[keyword] = keyword === 'required' ? withoutDefaults(value, node.properties) : value
        const size = sizeOf(value)
        steps += size
        entries += size
        if (entries > MAX_ENTRIES) throw unbounded('It is too large.')
      }
    }
    translateExclusive(copy, 'exclusiveMinimum', 'minimum')
    translateExclusive(copy, 'exclusiveMaximum', 'maximum')
    if (Object.keys(copy).length === 0) return copy
    const has = (keywords: readonly string[]) => keywords.some((keyword) => keyword in copy)
    const cost: SchemaCost = { steps, readsText: has(READ_TEXT), readsKeys: has(READ_KEYS) }
    copy[COST] = cost
    return copy
  }

  function visitList(list: unknown, pointer: string): unknown {
    if (!Array.isArray(list)) throw unbounded(`"${pointer}" is not a list.`)
    return list.map((item, index) => visit(item, `${pointer}/${index}`))
  }

  function visitMap(map: unknown, pointer: string): unknown {
    if (!isObject(map)) throw unbounded(`"${pointer}" is not an object.`)
    return Object.fromEntries(
      Object.entries(map).map(([key, child]) => [
        key,
        visit(child, `${pointer}/${escapeKey(key)}`),
      ]),
    )
  }

  function visitItems(keyword: string, value: unknown, pointer: string): unknown {
    if (keyword === 'items') return visit(value, pointer)
    if (!isObject(value)) throw unbounded(`"${pointer}" is not an object.`)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        // Lists of property names.
        Array.isArray(child) ? child : visit(child, `${pointer}/${escapeKey(key)}`),
      ]),
    )
  }

  function withoutDefaults(required: unknown, properties: unknown): unknown {
    if (!Array.isArray(required) || !isObject(properties)) return required
    return required.filter((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return !isObject(property) || property.default === undefined
    })
  }
}

/** Whether a keyword only excludes properties that the schema does not mention. */
function isExclusion(keyword: string, value: unknown): boolean {
  return (
    value === false && (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
  )
}

/** In draft 4, `exclusiveMinimum: true` says that `minimum` itself is excluded. */
function translateExclusive(
  schema: Record<string, unknown>,
  exclusive: string,
  limit: string,
): void {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive] === true) {
    schema[exclusive] = schema[limit]
    delete schema[limit]
  }
  if (typeof schema[exclusive] !== 'number') delete schema[exclusive]
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function decodeReference(reference: string): string {
  return decodePercent(reference) ?? reference
}

/** How many values a JSON value contains, and a share of its text. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 100)
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, child) => sum + sizeOf(child), 1)
}

function unbounded(reason: string): UnboundedSchemaError {
  return new UnboundedSchemaError(`The schema is not checked. ${reason}`)
}
