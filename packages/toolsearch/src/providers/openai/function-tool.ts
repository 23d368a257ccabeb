import type { ToolText } from '../../tokens/tool-tokens.ts'

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
  return {
    type: 'function',
    name,
    description,
    // the service refuses an object that says nothing of its properties
    parameters: { ...inputSchema, type: 'object', properties: inputSchema.properties ?? {} },
    strict: false,
  }
}

/** A function that the model gets to see by a search. */
export function deferredFunction(tool: ToolText): OpenaiFunction {
  return { ...functionTool(tool), defer_loading: true }
}
