import { isObject } from '../is-object.ts'

/** Why a JSON Schema cannot be compiled. */
export interface SchemaProblem {
  /** A path inside the schema such as `properties.limit.type`; empty for the schema itself. */
  readonly path: string
  readonly problem: string
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const SCHEMA_KEYWORDS = [
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]
const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const SCHEMA_MAP_KEYWORDS = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]
const MAX_DEPTH = 200

/**
 * Finds the first problem that prevents any validator from compiling the schema: an unknown type,
 * an invalid regular expression, a dangling reference, a value that JSON cannot represent. Does not
 * check against the meta-schema: unknown keywords are valid JSON Schema.
 */
export function checkSchema(schema: unknown): SchemaProblem | undefined {
  return checkJson(schema, [], []) ?? checkKeywords(schema, [], schema)
}

type Path = readonly (string | number)[]

function at(path: Path, problem: string): SchemaProblem {
  return { path: path.join('.'), problem }
}

function checkJson(value: unknown, path: Path, ancestors: object[]): SchemaProblem | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : at(path, `is ${value}, which JSON cannot represent`)
  }
  if (typeof value !== 'object') {
    const kind = value === undefined ? 'undefined' : `a ${typeof value}`
    return at(path, `is ${kind}, which JSON cannot represent`)
  }
  if (ancestors.includes(value)) return at(path, 'refers to itself: a schema must be a tree')
  if (path.length > MAX_DEPTH) return at(path, `is nested deeper than ${MAX_DEPTH} levels`)
  ancestors.push(value)
  for (const key of Object.keys(value)) {
    const child = (value as Record<string, unknown>)[key]
    // JSON.stringify drops undefined members
    if (child === undefined && !Array.isArray(value)) continue
    const problem = checkJson(child, [...path, key], ancestors)
    if (problem) return problem
  }
  ancestors.pop()
  return undefined
}

function checkKeywords(schema: unknown, path: Path, base: unknown): SchemaProblem | undefined {
  if (typeof schema === 'boolean' && path.length > 0) return undefined
  if (!isObject(schema)) return at(path, 'is not a JSON Schema object')
  // references inside a schema with its own $id are resolved relative to it
  const { $id } = schema
  const root = typeof $id === 'string' && !$id.startsWith('#') ? schema : base

  const own =
    checkType(schema, path) ??
    checkRequired(schema, path) ??
    checkEnum(schema, path) ??
    checkPattern(schema, path) ??
    checkReference(schema, path, root)
  if (own) return own

  for (const [child, childPath] of childrenOf(schema, path)) {
    if ('problem' in childPath) return childPath
    const problem = checkKeywords(child, childPath, root)
    if (problem) return problem
  }
  return undefined
}

function* childrenOf(
  schema: Record<string, unknown>,
  path: Path,
): Generator<[unknown, Path | SchemaProblem]> {
  for (const keyword of SCHEMA_KEYWORDS) {
    const child = schema[keyword]
    if (child === undefined) continue
    // drafts before 2020-12 write a tuple as an array under "items"
    if (keyword === 'items' && Array.isArray(child)) {
      for (const [index, item] of child.entries()) yield [item, [...path, keyword, index]]
    } else yield [child, [...path, keyword]]
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword]
    if (list === undefined) continue
    if (!Array.isArray(list)) yield [list, at([...path, keyword], 'is not an array of schemas')]
    else for (const [index, item] of list.entries()) yield [item, [...path, keyword, index]]
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword]
    if (map === undefined) continue
    if (!isObject(map)) yield [map, at([...path, keyword], 'is not an object of schemas')]
    else
      for (const [key, child] of Object.entries(map)) {
        // JSON drops undefined members; drafts before 2019-09 list property names as dependencies
        const isSchema =
          child !== undefined && !(keyword === 'dependencies' && Array.isArray(child))
        if (isSchema) yield [child, [...path, keyword, key]]
      }
  }
}

function checkType(schema: Record<string, unknown>, path: Path): SchemaProblem | undefined {
  const { type } = schema
  if (type === undefined) return undefined
  for (const name of Array.isArray(type) ? type : [type]) {
    if (!TYPES.has(name as string)) {
      return at(
        [...path, 'type'],
        `is ${JSON.stringify(name)}; use one of ${[...TYPES].join(', ')}`,
      )
    }
  }
  return undefined
}

function checkRequired(schema: Record<string, unknown>, path: Path): SchemaProblem | undefined {
  const { required } = schema
  // draft 3 has a boolean "required" on each property, which some models and servers still write
  if (required === undefined || typeof required === 'boolean') return undefined
  const names = Array.isArray(required) && required.every((name) => typeof name === 'string')
  return names ? undefined : at([...path, 'required'], 'is not an array of property names')
}

function checkEnum(schema: Record<string, unknown>, path: Path): SchemaProblem | undefined {
  if (schema.enum === undefined || Array.isArray(schema.enum)) return undefined
  return at([...path, 'enum'], 'is not an array of values')
}

function checkPattern(schema: Record<string, unknown>, path: Path): SchemaProblem | undefined {
  const patterns: [unknown, Path][] = [[schema.pattern, [...path, 'pattern']]]
  if (isObject(schema.patternProperties)) {
    for (const key of Object.keys(schema.patternProperties)) {
      patterns.push([key, [...path, 'patternProperties', key]])
    }
  }
  for (const [pattern, where] of patterns) {
    if (pattern === undefined) continue
    if (typeof pattern !== 'string' || !compiles(pattern)) {
      return at(where, `is not a valid regular expression: ${JSON.stringify(pattern)}`)
    }
  }
  return undefined
}

function compiles(pattern: string): boolean {
  // JSON Schema specifies the "u" flag, but many real-world patterns only compile without it
  for (const flags of ['u', '']) {
    try {
      new RegExp(pattern, flags)
      return true
    } catch {}
  }
  return false
}

function checkReference(
  schema: Record<string, unknown>,
  path: Path,
  root: unknown,
): SchemaProblem | undefined {
  const { $ref } = schema
  if ($ref === undefined) return undefined
  if (typeof $ref !== 'string') return at([...path, '$ref'], 'is not a string')
  if ($ref === '#' || !$ref.startsWith('#')) return undefined
  if (!$ref.startsWith('#/')) {
    return hasAnchor(root, $ref.slice(1))
      ? undefined
      : at([...path, '$ref'], `cannot be resolved: ${$ref}`)
  }
  let target: unknown = root
  for (const step of $ref.slice(2).split('/')) {
    const key = decodePointerStep(step)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) {
      return at([...path, '$ref'], `cannot be resolved: ${$ref}`)
    }
    target = (target as Record<string, unknown>)[key]
  }
  return undefined
}

function hasAnchor(node: unknown, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false
  const { $anchor, $dynamicAnchor, $id } = node as Record<string, unknown>
  if ($anchor === name || $dynamicAnchor === name || $id === `#${name}`) return true
  return Object.values(node).some((child) => hasAnchor(child, name))
}

function decodePointerStep(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {}
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
