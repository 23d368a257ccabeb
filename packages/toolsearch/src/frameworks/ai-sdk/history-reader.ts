import { isObject } from '../../is-object.ts'
import type { HistoryReader } from '../../tool-search/history-reader.ts'

/**
 * Reads the AI SDK's model messages and UI messages, including the provider options that carry
 * references, tool changes and additional tools.
 */
export const aiSdkHistoryReader: HistoryReader = {
  revealed({ type, toolName, tool, additionalTools }) {
    if (type === 'tool-reference') return names([toolName])
    if (type === 'tool_addition') return names([toolName ?? (isObject(tool) && tool.name)])
    if (!Array.isArray(additionalTools)) return []
    return names(additionalTools.map((entry: unknown) => isObject(entry) && entry.name))
  },
  removed: ({ type, toolName }) => (type === 'tool_removal' ? names([toolName]) : undefined),
  call(part) {
    const { type, toolCallId, toolName, input, args } = part
    if (type === 'tool-call') {
      return { ids: [toolCallId], name: toolName, arguments: input ?? args }
    }
    if (!isUiToolPart(part)) return undefined
    const name = toolName ?? /^tool-(.*)$/s.exec(String(type))?.[1]
    return { ids: [toolCallId], name, arguments: input }
  },
  result: ({ type, toolCallId: callId, output, result }) =>
    type === 'tool-call' || callId === undefined
      ? undefined
      : { callId, content: output ?? result },
  opaqueKeys: ['input', 'args', 'output', 'result', 'inputSchema'],
}

/** A part of a UI message, which has a call and its result in one object. */
function isUiToolPart(part: Readonly<Record<string, unknown>>): boolean {
  return typeof part.type === 'string' && typeof part.state === 'string' && 'toolCallId' in part
}

function names(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
