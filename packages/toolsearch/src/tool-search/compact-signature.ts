import type { JsonSchema } from '../catalogue/tool.ts'

/**
 * A schema in one line, its first level only.
 *
 * @example
 * compactSignature(schema) // '{path: string, limit?: integer}'
 */
export function compactSignature(schema: JsonSchema): string {
  const { properties, required } = schema
  if (typeof properties !== 'object' || properties === null) return '<schema>'
  const needed = new Set(Array.isArray(required) ? required : [])
  const parts = Object.entries(properties).map(([name, property]) => {
    const type = (property as JsonSchema | null)?.type
    return `${name}${needed.has(name) ? '' : '?'}: ${typeof type === 'string' ? type : 'any'}`
  })
  return `{${parts.join(', ')}}`
}
