import type { JsonSchema } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'

/** Counts that Gemini's schemas write as strings. */
const COUNTS = ['maxItems', 'maxLength', 'maxProperties', 'minItems', 'minLength', 'minProperties']

/** Translates a schema of Gemini, with types such as `STRING`, into JSON Schema. */
export function fromGeminiSchema(schema: unknown): JsonSchema {
  if (!isObject(schema)) return { type: 'object', properties: {} }
  const { nullable, propertyOrdering: _, ...fields } = schema
  const translated = Object.entries(fields).map(([key, value]) => [key, translate(key, value)])
  const result: Record<string, unknown> = Object.fromEntries(translated)
  if (nullable === true && typeof result.type === 'string') result.type = [result.type, 'null']
  return result
}

function translate(key: string, value: unknown): unknown {
  if (key === 'type' && typeof value === 'string') return value.toLowerCase()
  if (key === 'anyOf' && Array.isArray(value)) return value.map(fromGeminiSchema)
  if (key === 'items') return fromGeminiSchema(value)
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, property]) => [name, fromGeminiSchema(property)]),
    )
  }
  return COUNTS.includes(key) ? Number(value) : value
}
