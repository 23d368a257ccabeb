import type { JsonSchema, ToolDefinition } from 'toolsearch'

/** A tool as a document for a full-text search engine. */
export interface ToolDocument {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Names and descriptions of the parameters. */
  readonly parameters: string
}

export function toolDocument({
  name,
  description = '',
  inputSchema = {},
}: ToolDefinition): ToolDocument {
  const properties = Object.entries((inputSchema as { properties?: JsonSchema }).properties ?? {})
  const parameters = properties
    .map(
      ([parameter, schema]) => `${parameter} ${(schema as JsonSchema | null)?.description ?? ''}`,
    )
    .join(' ')
  return { id: name, name, description, parameters }
}
