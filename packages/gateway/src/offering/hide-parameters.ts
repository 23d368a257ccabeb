import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../protocol/json-object.ts'

/** Keywords whose schemas apply to the same object. */
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLE = ['if', 'then', 'else', 'not'] as const
/** Keywords that require something else as soon as a parameter is present. */
const DEPENDENCIES = ['dependentRequired', 'dependentSchemas', 'dependencies'] as const
const COUNTS = ['minProperties', 'maxProperties'] as const
const MAX_REFERENCES = 10

/**
 * The schema of a tool's arguments without some parameters whose values are fixed. Alternatives that
 * exclude a fixed value become impossible.
 */
export function hideParameters(schema: JsonObject, fixed: JsonObject): JsonObject {
  const names = new Set(Object.keys(fixed))
  return hideIn(withoutReference(schema))

  function hideIn(from: JsonObject): JsonObject {
    const { properties, required } = from
    const implied = DEPENDENCIES.flatMap((key) => impliedBy(from[key]))
    const allRequired = [
      ...(Array.isArray(required) ? required : []),
      ...implied.filter((each) => Array.isArray(each)).flat(),
    ]
    const allOf = [
      ...(Array.isArray(from.allOf) ? from.allOf : []),
      ...implied.filter((each) => !Array.isArray(each)),
    ]
    return {
      ...from,
      ...(isObject(properties) && { properties: withoutHidden(properties) }),
      ...(allRequired.length > 0 && {
        required: [...new Set(allRequired)].filter((name) => isShown(name)),
      }),
      ...change(COUNTS, (value) => Math.max(0, Number(value) - names.size)),
      ...change(DEPENDENCIES, (value) => (isObject(value) ? hideInDependencies(value) : value)),
      ...change(['anyOf', 'oneOf'], (value) =>
        Array.isArray(value) ? value.map(hideInBranch) : value,
      ),
      ...(allOf.length > 0 && { allOf: allOf.map(hideInBranch) }),
      ...change(SINGLE, hideInBranch),
    }

    function change(keys: readonly string[], hide: (value: unknown) => unknown): JsonObject {
      return Object.fromEntries(
        keys.filter((key) => key in from).map((key) => [key, hide(from[key])]),
      )
    }
  }

  function hideInBranch(branch: unknown): unknown {
    if (!isObject(branch)) return branch
    const { properties } = branch
    const isImpossible =
      isObject(properties) &&
      Object.entries(fixed).some(
        ([name, value]) => Object.hasOwn(properties, name) && excludes(properties[name], value),
      )
    return isImpossible ? false : hideIn(branch)
  }

  /** Fixed parameters are always present: lists of names, and schemas, that apply because of them. */
  function impliedBy(dependencies: unknown): unknown[] {
    if (!isObject(dependencies)) return []
    return Object.entries(dependencies).flatMap(([name, implied]) =>
      isShown(name) ? [] : [implied],
    )
  }

  function hideInDependencies(dependencies: JsonObject): JsonObject {
    return mapValues(withoutHidden(dependencies), (value) =>
      Array.isArray(value) ? value.filter(isShown) : hideInBranch(value),
    )
  }

  function isShown(name: unknown): boolean {
    return !names.has(name as string)
  }

  function withoutHidden(object: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)))
  }
}

/** The names of all parameters, including those of only some alternatives. */
export function parameterNames(schema: JsonObject): string[] {
  return namesIn(withoutReference(schema))
}

function namesIn(schema: unknown): string[] {
  if (!isObject(schema)) return []
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const branches = [...LISTS, ...SINGLE].flatMap((key) => schema[key] as unknown)
  return [...own, ...branches.flatMap(namesIn)]
}

/** Replaces a reference at the top of a schema with what it refers to. */
function withoutReference(schema: JsonObject): JsonObject {
  let current = schema
  for (let step = 0; step < MAX_REFERENCES && typeof current.$ref === 'string'; step++) {
    const [, section = '', name = ''] =
      /^#\/(\$defs|definitions)\/([^/]+)$/.exec(current.$ref) ?? []
    const definitions = schema[section]
    const target = isObject(definitions) && Object.hasOwn(definitions, name) && definitions[name]
    if (!isObject(target)) return current
    const { $ref: _, ...rest } = current
    current = { ...rest, ...target }
  }
  return current
}

function excludes(schema: unknown, value: unknown): boolean {
  if (!isObject(schema)) return schema === false
  if ('const' in schema && !isSame(schema.const, value)) return true
  return Array.isArray(schema.enum) && !schema.enum.some((each) => isSame(each, value))
}

// Values of the configuration and of a server's schema can have different prototypes.
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
}

function mapValues(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
