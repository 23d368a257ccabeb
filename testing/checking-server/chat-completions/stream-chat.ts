import { eventText, splitText } from '../streaming.ts'
import type { EncodedCall, EncodedCompletion } from './encode-chat.ts'

/** The chunks of a streamed `ChatCompletion`. Usage comes last and only on request. */
export function streamChat(completion: EncodedCompletion, includeUsage: boolean): string[] {
  const { choices, usage, ...rest } = completion
  const [{ message, finish_reason }] = choices
  const chunk = (choice?: object, fields: object = {}) => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: choice ? [{ index: 0, logprobs: null, finish_reason: null, ...choice }] : [],
    ...(includeUsage ? { usage: null } : {}),
    ...fields,
  })
  const { role, content, refusal, tool_calls = [] } = message
  const deltas = [
    { role, content: content === null ? null : '', refusal },
    ...splitText(content ?? '').map((piece) => ({ content: piece })),
    ...tool_calls.flatMap(callDeltas),
  ]
  const chunks = [
    ...deltas.map((delta) => chunk({ delta })),
    chunk({ delta: {}, finish_reason }),
    ...(includeUsage ? [chunk(undefined, { usage })] : []),
  ]
  return [...chunks.map((data) => eventText(data)), eventText('[DONE]')]
}

// Only the first delta has id and name. The index identifies the following ones.
function callDeltas(call: EncodedCall, index: number): object[] {
  const [kind, field] = call.custom ? ['custom', 'input'] : ['function', 'arguments']
  const called = (call.custom ?? call.function) as { [field: string]: string }
  return [
    { tool_calls: [{ index, ...call, [kind]: { ...called, [field]: '' } }] },
    ...splitText(called[field]!).map((piece) => ({
      tool_calls: [{ index, [kind]: { [field]: piece } }],
    })),
  ]
}
