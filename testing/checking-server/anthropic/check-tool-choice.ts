import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { availableAtEnd } from './available-tools.ts'
import type { MessagesBody } from './messages-body.ts'

/** Models that do not support forced tools: Opus 5.5, Sonnet 5.5 and Fable 5.1. */
const WITHOUT_FORCING = /^claude-(?:opus-5-5|sonnet-5-5|fable-5-1)/

/** The model must be able to see a forced tool at the end of the messages. */
export function checkToolChoice(body: MessagesBody): Problem | undefined {
  const { model = '', tool_choice: choice, tools = [] } = body
  if (!choice) return undefined
  if (['any', 'tool'].includes(choice.type) && WITHOUT_FORCING.test(model)) {
    return anthropicProblem(
      400,
      'tool_choice: type "tool" and "any" are not supported for this model.',
    )
  }
  const available = availableAtEnd(body)
  if (tools.length === 0 && available.known.size === 0) {
    return anthropicProblem(
      400,
      'tool_choice: `tool_choice` may only be specified while providing `tools`',
    )
  }
  // Only the real service knows the tools of an MCP server.
  const hasMcp = tools.some((tool) => tool.type === 'mcp_toolset')
  if (choice.type !== 'tool' || hasMcp) return undefined
  const name = choice.name ?? ''
  if (!available.known.has(name)) {
    return anthropicProblem(400, `Tool '${name}' not found in provided tools`)
  }
  if (!available.shown.has(name)) {
    return anthropicProblem(
      400,
      `tool_choice: tool '${name}' has defer_loading=true and has not been loaded`,
    )
  }
  return undefined
}
