import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

const REQUIRE_TOOLS = ['tool_choice', 'parallel_tool_calls'] as const

/** A `tool_choice` requires tools, and must name tools that the request lists. */
export function checkToolChoice(body: ChatBody): Problem | undefined {
  const { tools, tool_choice: choice } = body
  const idle = REQUIRE_TOOLS.find((field) => body[field] !== undefined)
  if (!tools && idle && body[idle] !== 'none') {
    return openaiProblem(
      400,
      `Invalid value for '${idle}': '${idle}' is only allowed when 'tools' are specified.`,
      { param: idle },
    )
  }
  if (typeof choice !== 'object' || choice === null) return undefined
  const chosen = choice.type === 'function' ? [choice] : (choice.allowed_tools?.tools ?? [])
  const declared = (tools ?? []).map((tool) => tool.function?.name)
  const unknown = chosen.find((tool) => !declared.includes(tool.function?.name))
  if (!unknown) return undefined
  return openaiProblem(
    400,
    `Tool choice '${unknown.function?.name}' not found in 'tools' parameter.`,
    { param: 'tool_choice' },
  )
}
