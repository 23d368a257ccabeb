import type { JsonSchema } from '../catalogue/tool.ts'

/** A schema that accepts any arguments, in place of the real one that a search returns. */
export function stubSchema(note?: string): JsonSchema {
  return {
    type: 'object',
    ...(note !== undefined && { description: note }),
    additionalProperties: true,
  }
}
