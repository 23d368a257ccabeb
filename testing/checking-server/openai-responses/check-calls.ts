import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type Item, itemsOf, type ResponsesBody } from './responses-body.ts'

const PAIRS = [
  { call: 'function_call', output: 'function_call_output' },
  { call: 'custom_tool_call', output: 'custom_tool_call_output' },
  { call: 'tool_search_call', output: 'tool_search_output' },
  { call: 'computer_call', output: 'computer_call_output' },
  { call: 'shell_call', output: 'shell_call_output' },
  { call: 'apply_patch_call', output: 'apply_patch_call_output' },
  { call: 'local_shell_call', output: 'local_shell_call_output' },
]

/** Every call needs an output after it, and every output a call before it. */
export function checkCalls(body: ResponsesBody): Problem | undefined {
  const items = itemsOf(body).filter(isAnswerable)
  for (const { call, output } of PAIRS) {
    const calls = new Map<unknown, { isAnswered: boolean; caller: unknown }>()
    for (const item of items) {
      const id = idOf(item)
      if (item.type === call) calls.set(id, { isAnswered: false, caller: item.caller })
      if (item.type !== output) continue
      const found = calls.get(id)
      // The call may be in the conversation that the service stores.
      if (!found && !body.conversation) {
        return problem(`No tool call found for ${readable(output)} with call_id ${id}.`)
      }
      if (found && isFromProgram(found.caller) && !isSame(found.caller, item.caller)) {
        return problem(`The caller of ${readable(output)} ${id} must be that of its tool call.`)
      }
      calls.set(id, { isAnswered: true, caller: found?.caller })
    }
    for (const [id, { isAnswered }] of calls) {
      if (!isAnswered) return problem(`No tool output found for ${readable(call)} ${id}.`)
    }
  }
  return undefined
}

// The output of a local shell call has the id of the call in a field of its own.
function idOf({ type, id, call_id }: Item): unknown {
  return type === 'local_shell_call_output' ? id : call_id
}

// Hosted searches have no call_id.
function isAnswerable({ type = '', execution, call_id: id }: Item): boolean {
  if (!type.startsWith('tool_search_')) return true
  return execution === 'client' || typeof id === 'string'
}

function isFromProgram(caller: unknown): boolean {
  return (caller as { type?: unknown } | null | undefined)?.type === 'program'
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function problem(message: string): Problem {
  return openaiProblem(400, message, { param: 'input' })
}

function readable(type: string): string {
  return type.replaceAll('_', ' ')
}
