import type { CallableTool } from '../callable-tool.ts'
import { type ChatBody, isDeferred } from './chat-body.ts'
import { type ChatDeferral, referencesIn } from './check-deferral.ts'

/**
 * The tools that are not deferred, and those that a message refers to or calls. A hosted search leaves no
 * trace, so every deferred tool may have been found.
 */
export function callableTools(
  { tools = [], messages = [] }: ChatBody,
  deferral: ChatDeferral | undefined,
): CallableTool[] {
  const seen = new Set(
    messages.flatMap((message) => [
      ...referencesIn(message),
      ...(message.tool_calls ?? []).map((call) => call.function?.name),
    ]),
  )
  return tools.flatMap((tool) => {
    const { name = '', parameters } = tool.function ?? {}
    const isVisible = !isDeferred(tool) || deferral === 'hosted' || seen.has(name)
    return name !== '' && isVisible ? [{ name, schema: parameters }] : []
  })
}
