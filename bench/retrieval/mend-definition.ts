import type { ToolDefinition } from 'toolsearch'
import { readDefinition } from '../../packages/toolsearch/src/catalogue/read-definition.ts'
import { dropUnknownTypes } from '../evaluation/mend-schema.ts'

/**
 * The definition if our catalogue takes it, otherwise without the unknown `type`s in its schema,
 * or as a last resort without the schema: so that every tool of a set takes part for everyone.
 *
 * @throws InvalidToolError when the fault is not in the schema
 */
export function mendDefinition(definition: ToolDefinition): ToolDefinition {
  if (isValid(definition)) return definition
  const { inputSchema, ...rest } = definition
  const mended = { ...rest, inputSchema: dropUnknownTypes(inputSchema) }
  if (isValid(mended)) return mended
  readDefinition(rest)
  return rest
}

function isValid(definition: ToolDefinition): boolean {
  try {
    readDefinition(definition)
    return true
  } catch {
    return false
  }
}
