import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

const NEED_TOOLS = ['tool_choice', 'parallel_tool_calls'] as const

/** A choice needs tools, and names only those there are. */
export function checkToolChoice(body: ChatBody): Problem | undefined {
  const { tools, tool_choice: choice } = body
  const idle = NEED_TOOLS.find((field) => body[field] !== undefined)
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
  const stranger = chosen.find((one) => !declared.includes(one.function?.name))
  if (!stranger) return undefined
  return openaiProblem(
    400,
    `Tool choice '${stranger.function?.name}' not found in 'tools' parameter.`,
    { param: 'tool_choice' },
  )
}
