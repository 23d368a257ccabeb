import type { JsonSchema } from 'toolsearch'

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** The schema without types that do not exist, such as `bool`. All else stays. */
export function dropUnknownTypes(schema: unknown): JsonSchema {
  return asSchema(JSON.parse(JSON.stringify(schema), dropType))
}

/** Names and descriptions of the parameters and nothing else. */
export function keepNames(schema: unknown): JsonSchema {
  const properties = Object.entries(asSchema(asSchema(schema).properties)).map(([name, given]) => {
    const { description } = asSchema(given)
    return [name, typeof description === 'string' ? { description } : {}]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function dropType(key: string, value: unknown): unknown {
  // a parameter may itself be called "type"; then its value is a schema
  const isKeyword = key === 'type' && (typeof value === 'string' || Array.isArray(value))
  if (!isKeyword) return value
  const known = [value].flat().filter((one) => TYPES.has(one as string))
  if (known.length === 0) return undefined
  return Array.isArray(value) ? known : value
}

function asSchema(value: unknown): JsonSchema {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonSchema) : {}
}
