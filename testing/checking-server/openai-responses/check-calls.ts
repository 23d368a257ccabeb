import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type Item, itemsOf, type ResponsesBody } from './responses-body.ts'

const PAIRS = [
  { call: 'function_call', output: 'function_call_output' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output' },
  { call: 'tool_search_call', output: 'tool_search_output' },
]

/** Every call needs an output after it, and every output a call before it. */
export function checkCalls(body: ResponsesBody): Problem | undefined {
  const items = itemsOf(body).filter(isAnswerable)
  for (const { call, output } of PAIRS) {
    const calls = new Map<unknown, boolean>()
    for (const { type, call_id: id } of items) {
      if (type === call) calls.set(id, false)
      if (type !== output) continue
      // The call may be in the conversation that the service stores.
      if (!calls.has(id) && !body.conversation) {
        return problem(`No tool call found for ${readable(output)} with call_id ${id}.`)
      }
      calls.set(id, true)
    }
    for (const [id, answered] of calls) {
      if (!answered) return problem(`No tool output found for ${readable(call)} ${id}.`)
    }
  }
  return undefined
}

// Hosted searches have no call_id.
function isAnswerable({ type = '', execution, call_id: id }: Item): boolean {
  if (!type.startsWith('tool_search_')) return true
  return execution === 'client' || typeof id === 'string'
}

function problem(message: string): Problem {
  return openaiProblem(400, message, { param: 'input' })
}

function readable(type: string): string {
  return type.replaceAll('_', ' ')
}
