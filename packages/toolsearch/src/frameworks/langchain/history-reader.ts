import type { HistoryReader } from '../../tool-search/history-reader.ts'

/** Reads LangChain's messages. Their results have the shape of Chat Completions. */
export const langchainHistoryReader: HistoryReader = {
  call: ({ type, id, name, args }) =>
    type === 'tool_call' ? { ids: [id], name, arguments: args } : undefined,
  opaqueKeys: ['args'],
}
