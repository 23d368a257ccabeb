import type { CallResult } from '../provider.ts'
import type { LooseMessage } from './chat-message.ts'

/** One message for each call. There is no sign for an error but the text itself. */
export function render(results: readonly CallResult[]): LooseMessage[] {
  return results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }))
}
