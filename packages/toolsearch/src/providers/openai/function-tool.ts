import type { ToolText } from '../../tokens/tool-tokens.ts'
import { objectSchema } from '../object-schema.ts'

/** A function as the Responses API has it. */
export interface OpenaiFunction {
  type: 'function'
  name: string
  description: string
  parameters: { [keyword: string]: unknown }
  /** Schemas of others seldom keep the rules of strict ones. */
  strict: false
  defer_loading?: true
}

export function functionTool({ name, description, inputSchema }: ToolText): OpenaiFunction {
  const parameters = objectSchema(inputSchema)
  return {
    type: 'function',
    name,
    description,
    // the service refuses an object that says nothing of its properties
    parameters: { ...parameters, properties: parameters.properties ?? {} },
    strict: false,
  }
}

/** A function that the model gets to see by a search. */
export function deferredFunction(tool: ToolText): OpenaiFunction {
  return { ...functionTool(tool), defer_loading: true }
}
