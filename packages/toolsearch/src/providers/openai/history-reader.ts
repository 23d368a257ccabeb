import type { HistoryReader } from '../../tool-search/history-reader.ts'
import { definedNames } from './items.ts'

/** Reads input items of the Responses API. */
export const openaiHistoryReader: HistoryReader = {
  revealed: (item) =>
    item.type === 'tool_search_output' || item.type === 'additional_tools'
      ? definedNames(item)
      : [],
  call: ({ type, call_id, name, arguments: input }) =>
    type === 'function_call' ? { ids: [call_id], name, arguments: input } : undefined,
  result: ({ type, call_id: callId, output }) =>
    typeof type === 'string' && type.endsWith('_output') ? { callId, content: output } : undefined,
  listed: (entry) => (entry.type === 'namespace' ? definedNames(entry) : undefined),
  opaqueKeys: ['arguments', 'parameters', 'output'],
}
