import type { ToolText } from '../../tokens/tool-tokens.ts'
import { objectSchema } from '../object-schema.ts'
import type { Item } from './items.ts'

/** A function of the Responses API. */
export interface OpenaiFunction {
  type: 'function'
  name: string
  description: string
  parameters: { [keyword: string]: unknown }
  /** Schemas from other sources rarely meet the requirements of strict mode. */
  strict: false
  defer_loading?: true
}

export function functionTool({ name, description, inputSchema }: ToolText): OpenaiFunction {
  const parameters = objectSchema(inputSchema)
  return {
    type: 'function',
    name,
    description,
    // The service rejects an object schema without `properties`.
    parameters: { ...parameters, properties: parameters.properties ?? {} },
    strict: false,
  }
}

/** A function that the model sees only after a search. */
export function deferredFunction(tool: ToolText): OpenaiFunction {
  return { ...functionTool(tool), defer_loading: true }
}

/** An item that adds functions in the middle of a conversation. */
export function additionalTools(tools: readonly ToolText[]): Item {
  return { type: 'additional_tools', role: 'developer', tools: tools.map(functionTool) }
}
