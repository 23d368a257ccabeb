import { checkName } from '../openai/check-function.ts'
import { emptyArray, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody, Message } from './chat-body.ts'

/** Checks each message on its own. */
export function checkMessages(maxNameLength: number): (body: ChatBody) => Problem | undefined {
  return ({ messages = [] }) => {
    if (messages.length === 0) return emptyArray('messages')
    for (const [index, message] of messages.entries()) {
      const problem = checkContent(message, index) ?? checkCalls(message, index, maxNameLength)
      if (problem) return problem
    }
    return undefined
  }
}

function checkContent({ content, tool_calls }: Message, index: number): Problem | undefined {
  // Only a message with calls may have no content.
  if ((content !== undefined && content !== null) || tool_calls) return undefined
  return openaiProblem(400, "Invalid value for 'content': expected a string, got null.", {
    param: `messages.[${index}].content`,
  })
}

function checkCalls(
  { tool_calls: calls }: Message,
  index: number,
  maxNameLength: number,
): Problem | undefined {
  if (!calls) return undefined
  if (calls.length === 0) return emptyArray(`messages[${index}].tool_calls`)
  for (const [at, call] of calls.entries()) {
    const param = `messages[${index}].tool_calls[${at}].function`
    if (call.type === 'custom') continue
    const problem = checkName(call.function?.name, `${param}.name`, maxNameLength)
    if (problem) return problem
    if (typeof call.function?.arguments !== 'string') {
      return openaiProblem(400, `Invalid type for '${param}.arguments': expected a string.`, {
        param: `${param}.arguments`,
        code: 'invalid_type',
      })
    }
  }
  return undefined
}
