import type { BaseTool } from '@google/adk'
import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import type { JsonSchema, Tool, ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import { check } from '../../options/check-option.ts'
import { originalTools } from '../original-tools.ts'
import { fromGeminiSchema } from './from-gemini-schema.ts'

const checkTools = check(
  (value) => Array.isArray(value) && value.every(isObject),
  'use an array of tools of @google/adk',
)

const originals = originalTools<BaseTool>('adkTool')

/**
 * Definitions of ADK's tools, for a catalogue. `adkToolset` runs the originals, with their tool
 * context and confirmations. For a toolset, pass the result of its `getTools()`.
 *
 * @example
 * const toolSearch = createToolSearch({ tools: adkTools([refund, lookup]) })
 *
 * @throws InvalidOptionError if the value is not an array of tools
 * @throws InvalidToolError if the model's provider runs the tool, such as Google Search, or if it is
 * long-running
 */
export function adkTools(tools: readonly BaseTool[]): ToolDefinition[] {
  checkTools(tools, 'tools')
  return tools.map((tool) => {
    const { name, description } = tool
    const declaration = tool._getDeclaration()
    if (!declaration) {
      const problem = 'has no declaration, so it cannot be searched. Add it to the agent directly.'
      throw new InvalidToolError(name, '_getDeclaration', problem)
    }
    if (tool.isLongRunning) {
      const problem = 'is true: ADK must see its calls itself. Add it to the agent directly.'
      throw new InvalidToolError(name, 'isLongRunning', problem)
    }
    const execute = () => {
      throw new Error(`"${name}" is a tool of ADK. It can only run in an agent with adkToolset.`)
    }
    const { parameters, parametersJsonSchema } = declaration
    const inputSchema = (parametersJsonSchema ?? fromGeminiSchema(parameters)) as JsonSchema
    return { name, description, inputSchema, execute, metadata: originals.metadataOf(tool) }
  })
}

/** ADK's tool behind a tool of the catalogue, if it came from `adkTools`. */
export const originalOf: (tool: Tool | undefined) => BaseTool | undefined = originals.of
