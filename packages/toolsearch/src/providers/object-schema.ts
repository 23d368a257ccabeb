import type { JsonSchema } from '../catalogue/tool.ts'
import { validSchema } from '../catalogue/valid-schema.ts'
import { isObject } from '../is-object.ts'

/** A parameter schema as services accept it. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

const REJECTED_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'not', 'enum']
const MAX_DEPTH = 4

/**
 * Makes a schema valid and its root a plain object. Services reject the whole request if one tool
 * has an unknown type, or a combinator such as `anyOf` at the root, so the properties of its branches
 * are merged. Calls are still validated against the original schema.
 *
 * @see https://github.com/anthropics/claude-code/issues/5973
 */
export function objectSchema(original: JsonSchema): ObjectSchema {
  const schema = validSchema(original)
  if (!REJECTED_KEYWORDS.some((keyword) => keyword in schema)) return { ...schema, type: 'object' }
  return mergeBranches(schema, schema, 0)
}

function mergeBranches(schema: JsonSchema, root: JsonSchema, depth: number): ObjectSchema {
  const { allOf, anyOf, oneOf, not: _, enum: __, ...rest } = schema
  const read = (list: unknown) => branchesOf(list, root, depth)
  const mandatory = [rest, ...read(allOf)]
  const alternatives = [read(anyOf), read(oneOf)].filter((list) => list.length > 0)
  const required = [
    ...mandatory.flatMap(requiredIn),
    // Of the alternatives, keep only what every branch requires.
    ...alternatives.flatMap(([first, ...others]) =>
      requiredIn(first!).filter((name) =>
        others.every((branch) => requiredIn(branch).includes(name)),
      ),
    ),
  ]
  return {
    ...rest,
    type: 'object',
    properties: mergeProperties([...mandatory, ...alternatives.flat()]),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function branchesOf(list: unknown, root: JsonSchema, depth: number): JsonSchema[] {
  if (!Array.isArray(list) || depth > MAX_DEPTH) return []
  return list
    .filter(isObject)
    .map((branch) => mergeBranches(resolveRef(branch, root), root, depth + 1))
}

function resolveRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema
  const keys = schema.$ref.slice(2).split('/')
  const target = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root)
  return isObject(target) ? target : schema
}

/** A property that several schemas define differently may match any of the definitions. */
function mergeProperties(schemas: readonly JsonSchema[]): JsonSchema {
  const definitions = new Map<string, Map<string, unknown>>()
  for (const { properties } of schemas) {
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      const known = definitions.get(name) ?? new Map()
      definitions.set(name, known.set(JSON.stringify(property), property))
    }
  }
  return Object.fromEntries(
    [...definitions].map(([name, variants]) => {
      const [first, ...others] = variants.values()
      return [name, others.length > 0 ? { anyOf: [first, ...others] } : first]
    }),
  )
}

function requiredIn({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
