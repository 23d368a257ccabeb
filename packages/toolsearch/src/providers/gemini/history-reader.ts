import { isObject } from '../../is-object.ts'
import type { HistoryReader } from '../../tool-search/history-reader.ts'

/** Reads contents of the Gemini API, where a response refers to its call by name. */
export const geminiHistoryReader: HistoryReader = {
  call: ({ functionCall: call }) =>
    isObject(call) ? { ids: [], name: call.name, arguments: call.args } : undefined,
  result: ({ name: toolName, response }) =>
    response === undefined ? undefined : { toolName, content: response },
  opaqueKeys: ['args', 'response'],
}
