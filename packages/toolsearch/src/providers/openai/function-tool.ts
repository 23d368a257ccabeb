import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { Block } from '../../transcript/block.ts'
import { objectSchema } from '../object-schema.ts'
import { fitsStrictMode } from '../strict-schema.ts'

/** A function of the Responses API. */
export interface OpenaiFunction {
  type: 'function'
  name: string
  description: string
  parameters: { [keyword: string]: unknown }
  strict: boolean
  allowed_callers?: ('direct' | 'programmatic')[]
  output_schema?: { [keyword: string]: unknown }
  defer_loading?: true
}

const CALLERS = ['direct', 'programmatic'] as const

export function functionTool(tool: ToolText): OpenaiFunction {
  const { name, description, allowedCallers = [], outputSchema } = tool
  const schema = objectSchema(tool.inputSchema)
  // The service rejects an object schema without `properties`.
  const parameters = { ...schema, properties: schema.properties ?? {} }
  const callers = CALLERS.filter((caller) => allowedCallers.includes(caller))
  return {
    type: 'function',
    name,
    description,
    parameters,
    strict: tool.strict === true && fitsStrictMode(parameters),
    ...(callers.length > 0 && { allowed_callers: callers }),
    ...(outputSchema && { output_schema: outputSchema }),
  }
}

/** A function that the model sees only after a search. */
export function deferredFunction(tool: ToolText): OpenaiFunction {
  return { ...functionTool(tool), defer_loading: true }
}

/** An item that adds functions in the middle of a conversation. */
export function additionalTools(tools: readonly ToolText[]): Block {
  return { type: 'additional_tools', role: 'developer', tools: tools.map(functionTool) }
}
