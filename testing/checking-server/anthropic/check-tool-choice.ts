import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { availableAtStart, noteBlock } from './available-tools.ts'
import { type MessagesBody, placedBlocks } from './messages-body.ts'

/** Known to take no orders: Opus 5.5, Sonnet 5.5 and Fable 5.1. */
const UNFORCED_MODELS = /^claude-(?:opus-5-5|sonnet-5-5|fable-5-1)/

/** A forced tool is one that the model has seen by the end of the messages. */
export function checkToolChoice(body: MessagesBody): Problem | undefined {
  const { model = '', tool_choice: choice, tools = [] } = body
  if (!choice) return undefined
  if (['any', 'tool'].includes(choice.type) && UNFORCED_MODELS.test(model)) {
    return anthropicProblem(
      400,
      'tool_choice: type "tool" and "any" are not supported for this model.',
    )
  }
  const available = availableAtStart(body)
  for (const { block } of placedBlocks(body)) noteBlock(available, block)

  if (tools.length === 0 && available.known.size === 0) {
    return anthropicProblem(
      400,
      'tool_choice: `tool_choice` may only be specified while providing `tools`',
    )
  }
  // the tools of an MCP server are known to the service alone
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
