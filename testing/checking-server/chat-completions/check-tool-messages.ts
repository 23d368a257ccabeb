import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

/** Calls are answered by tool messages before anything else, and tool messages answer calls. */
export function checkToolMessages({ messages = [] }: ChatBody): Problem | undefined {
  let asked: string[] = []
  let open: string[] = []
  for (const [index, { role, tool_calls, tool_call_id: id = '' }] of messages.entries()) {
    if (role === 'tool') {
      const problem = checkAnswer(id, asked, index)
      if (problem) return problem
      open = open.filter((other) => other !== id)
      continue
    }
    if (open.length > 0) return unanswered(open, index)
    asked = tool_calls?.map((call) => call.id) ?? []
    open = asked
  }
  return open.length > 0 ? unanswered(open, messages.length - 1) : undefined
}

function checkAnswer(id: string, asked: readonly string[], index: number): Problem | undefined {
  if (asked.length === 0) {
    return openaiProblem(
      400,
      // the spelling is theirs
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      { param: `messages.[${index}].role` },
    )
  }
  if (asked.includes(id)) return undefined
  return openaiProblem(
    400,
    `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
    { param: `messages.[${index}].tool_call_id` },
  )
}

function unanswered(ids: readonly string[], index: number): Problem {
  return openaiProblem(
    400,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    { param: `messages.[${index}].role` },
  )
}
