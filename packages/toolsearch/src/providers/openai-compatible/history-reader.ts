import { isObject } from '../../is-object.ts'
import type { HistoryReader } from '../../tool-search/history-reader.ts'

/** Reads messages of Chat Completions. */
export const chatHistoryReader: HistoryReader = {
  call({ id, function: called }) {
    if (!isObject(called) || called.arguments === undefined) return undefined
    return { ids: [id], name: called.name, arguments: called.arguments }
  },
  result: ({ tool_call_id: callId, content }) =>
    callId === undefined ? undefined : { callId, content },
  listed: ({ name, function: defined }) =>
    name === undefined && isObject(defined) ? [String(defined.name ?? '')] : undefined,
  opaqueKeys: ['arguments', 'parameters'],
}
