import type { JsonSchema } from '../catalogue/tool.ts'

/** Replaces the schema of a hidden tool and accepts any arguments. A search returns the real one. */
export function stubSchema(note?: string): JsonSchema {
  return {
    type: 'object',
    ...(note !== undefined && { description: note }),
    additionalProperties: true,
  }
}
