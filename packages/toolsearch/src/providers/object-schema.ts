import type { JsonSchema } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'

/** Parameters as services take them. */
export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

const REFUSED = ['allOf', 'anyOf', 'oneOf', 'not', 'enum']
const MAX_DEPTH = 4

/**
 * Says that the whole is an object, and no more than services take at the top: for one tool with a
 * choice there they refuse the whole request. What the choices say of properties stays, and a call
 * is still held to the schema as it was.
 *
 * @see https://github.com/anthropics/claude-code/issues/5973
 */
export function objectSchema(schema: JsonSchema): ObjectSchema {
  if (!REFUSED.some((keyword) => keyword in schema)) return { ...schema, type: 'object' }
  return merged(schema, schema, 0)
}

function merged(schema: JsonSchema, root: JsonSchema, depth: number): ObjectSchema {
  const { allOf, anyOf, oneOf, not: _, enum: __, ...own } = schema
  const read = (list: unknown) => branches(list, root, depth)
  const all = [own, ...read(allOf)]
  const choices = [read(anyOf), read(oneOf)].filter((list) => list.length > 0)
  const required = [
    ...all.flatMap(requiredIn),
    // of a choice, what every branch wants
    ...choices.flatMap(([first, ...others]) =>
      requiredIn(first!).filter((name) => others.every((one) => requiredIn(one).includes(name))),
    ),
  ]
  return {
    ...own,
    type: 'object',
    properties: propertiesOf([...all, ...choices.flat()]),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function branches(list: unknown, root: JsonSchema, depth: number): JsonSchema[] {
  if (!Array.isArray(list) || depth > MAX_DEPTH) return []
  return list.filter(isObject).map((branch) => merged(resolved(branch, root), root, depth + 1))
}

function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#/')) return schema
  const keys = schema.$ref.slice(2).split('/')
  const target = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root)
  return isObject(target) ? target : schema
}

/** A property that schemas tell of differently may be any of it. */
function propertiesOf(schemas: readonly JsonSchema[]): JsonSchema {
  const told = new Map<string, Map<string, unknown>>()
  for (const { properties } of schemas) {
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      told.set(name, (told.get(name) ?? new Map()).set(JSON.stringify(property), property))
    }
  }
  return Object.fromEntries(
    [...told].map(([name, ways]) => {
      const [first, ...others] = ways.values()
      return [name, others.length > 0 ? { anyOf: [first, ...others] } : first]
    }),
  )
}

function requiredIn({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
