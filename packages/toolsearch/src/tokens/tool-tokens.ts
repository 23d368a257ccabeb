import type { JsonSchema, Tool } from '../catalogue/tool.ts'
import type { CountTokens } from './estimate-tokens.ts'

/** The part of a tool that a request carries. */
export interface ToolText {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

export function toolText({ name, description, inputSchema }: Tool | ToolText): ToolText {
  return { name, description, inputSchema }
}

/** What a definition costs in a request: its name, description and schema as JSON. */
export function toolTokens(tool: Tool | ToolText, countTokens: CountTokens): number {
  return countTokens(JSON.stringify(toolText(tool)))
}
