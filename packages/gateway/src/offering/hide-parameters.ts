import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../protocol/json-object.ts'

/** Keywords whose schemas apply to the same object. */
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const SINGLE = ['if', 'then', 'else', 'not'] as const
const MAX_REFERENCES = 10

/**
 * The schema of a tool's arguments without some parameters whose values are fixed. Alternatives that
 * exclude a fixed value become impossible.
 */
export function hideParameters(schema: JsonObject, fixed: JsonObject): JsonObject {
  const names = new Set(Object.keys(fixed))
  return hideIn(withoutReference(schema))

  function hideIn(from: JsonObject): JsonObject {
    const { properties, required, dependentRequired, dependentSchemas } = from
    return {
      ...from,
      ...(isObject(properties) && { properties: withoutHidden(properties) }),
      ...(Array.isArray(required) && { required: required.filter((name) => !names.has(name)) }),
      ...(isObject(dependentRequired) && {
        dependentRequired: mapValues(withoutHidden(dependentRequired), (list) =>
          Array.isArray(list) ? list.filter((name) => !names.has(name)) : list,
        ),
      }),
      ...(isObject(dependentSchemas) && {
        dependentSchemas: mapValues(withoutHidden(dependentSchemas), hideInBranch),
      }),
      ...Object.fromEntries(
        LISTS.flatMap((key) => {
          const list = from[key]
          return Array.isArray(list) ? [[key, list.map(hideInBranch)]] : []
        }),
      ),
      ...Object.fromEntries(
        SINGLE.flatMap((key) => (key in from ? [[key, hideInBranch(from[key])]] : [])),
      ),
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
