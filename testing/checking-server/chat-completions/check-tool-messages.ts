import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

/** Tool messages must directly follow the calls that they answer, and answer all of them. */
export function checkToolMessages({ messages = [] }: ChatBody): Problem | undefined {
  let calls: string[] = []
  let pending: string[] = []
  for (const [index, { role, tool_calls, tool_call_id: id = '' }] of messages.entries()) {
    if (role === 'tool') {
      const problem = checkAnswer(id, calls, index)
      if (problem) return problem
      pending = pending.filter((other) => other !== id)
      continue
    }
    if (pending.length > 0) return unanswered(pending, index)
    calls = tool_calls?.map((call) => call.id) ?? []
    pending = calls
  }
  return pending.length > 0 ? unanswered(pending, messages.length - 1) : undefined
}

function checkAnswer(id: string, calls: readonly string[], index: number): Problem | undefined {
  if (calls.length === 0) {
    return openaiProblem(
      400,
      // The misspelling is OpenAI's.
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      { param: `messages.[${index}].role` },
    )
  }
  if (calls.includes(id)) return undefined
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
