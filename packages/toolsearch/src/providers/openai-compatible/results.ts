import { describedTools } from '../described-tools.ts'
import type { ToolResult } from '../provider.ts'
import { type ChatMessage, type LooseMessage, textsOf } from './chat-message.ts'

/** Creates one message per call. The API has no error flag, so an error is only visible in the text. */
export function render(results: readonly ToolResult[]): LooseMessage[] {
  return results.map(
    ({ call, text, native }) =>
      (native as LooseMessage | undefined) ?? {
        role: 'tool',
        tool_call_id: call.id,
        content: text,
      },
  )
}

/** The tools whose schemas the results contain. */
export function revealed(messages: readonly ChatMessage[]): Set<string> {
  return new Set(
    messages
      .filter((message) => message.role === 'tool')
      .flatMap(textsOf)
      .flatMap(describedTools),
  )
}
