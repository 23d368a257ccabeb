import type { JsonSchema } from '../catalogue/tool.ts'

/** A schema that accepts anything, for a tool whose real one is a search away. */
export function stubSchema(note?: string): JsonSchema {
  return {
    type: 'object',
    ...(note !== undefined && { description: note }),
    additionalProperties: true,
  }
}
