import { InvalidToolError } from '../../catalogue/catalogue-errors.ts'
import type { ExecuteContext, Tool, ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import { check } from '../../options/check-option.ts'
import { originalTools } from '../original-tools.ts'
import type { AgentTool } from './sdk-shapes.ts'

const checkTools = check(
  (value) => Array.isArray(value) && value.every(isObject),
  'use an array of function tools of @openai/agents',
)

const originals = originalTools<AgentTool>('openaiAgentsTool')

/**
 * Definitions of the SDK's function tools, for a catalogue. `openaiAgents` runs the originals, with
 * their run context, approvals, guardrails and timeouts. `deferLoading: true` defers a tool always;
 * without it, the deferral policy decides.
 *
 * @example
 * const toolSearch = createToolSearch({ tools: agentTools([refund, lookup]) })
 *
 * @throws InvalidOptionError if the value is not an array of tools
 * @throws InvalidToolError if a tool is not a function tool, such as web search
 */
export function agentTools(tools: readonly AgentTool[]): ToolDefinition[] {
  checkTools(tools, 'tools')
  return tools.map((tool) => {
    if (tool.type !== 'function') {
      const problem = `is "${tool.type}", so it cannot be searched. Add it to the agent directly.`
      throw new InvalidToolError(String((tool as { name?: unknown }).name), 'type', problem)
    }
    const execute = (input: Record<string, unknown>, { signal }: ExecuteContext) =>
      tool.invoke(undefined, JSON.stringify(input), { signal })
    const { name, description, parameters, deferLoading } = tool
    return {
      name,
      description,
      inputSchema: parameters,
      execute,
      metadata: originals.metadataOf(tool),
      ...(deferLoading === true && { loading: 'deferred' as const }),
    }
  })
}

/** The SDK's tool behind a tool of the catalogue, if it came from `agentTools`. */
export const originalOf: (tool: Tool | undefined) => AgentTool | undefined = originals.of
