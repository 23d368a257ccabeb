import type { MastraMessage } from './mastra-shapes.ts'

interface ToolInvocation {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: unknown
  readonly result?: unknown
}

/** The calls and results in stored messages, as messages that `session.rebuild` understands. */
export function callsIn(messages: readonly MastraMessage[]): object[] {
  return messages
    .flatMap(({ content }) => content.parts ?? [])
    .map((part) => (part as { toolInvocation?: ToolInvocation }).toolInvocation)
    .filter((call) => call !== undefined)
    .flatMap(({ toolCallId, toolName, args, result }) => [
      { type: 'function_call', call_id: toolCallId, name: toolName, arguments: args },
      { type: 'function_call_output', call_id: toolCallId, output: result },
    ])
}
