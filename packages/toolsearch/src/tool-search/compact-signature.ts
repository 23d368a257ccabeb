import type { JsonSchema } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'

/**
 * The top-level properties of a schema as one line.
 *
 * @example
 * compactSignature(schema) // '{path: string, limit?: integer}'
 */
export function compactSignature(schema: JsonSchema): string {
  const { properties, required } = schema
  if (!isObject(properties)) return '<schema>'
  const requiredNames = new Set(Array.isArray(required) ? required : [])
  const parts = Object.entries(properties).map(([name, property]) => {
    const type = (property as JsonSchema | null)?.type
    return `${name}${requiredNames.has(name) ? '' : '?'}: ${typeof type === 'string' ? type : 'any'}`
  })
  return `{${parts.join(', ')}}`
}
