import { cutInPieces, eventText } from '../streaming.ts'
import type { EncodedCall, EncodedCompletion } from './encode-chat.ts'

/** A `ChatCompletion` as the chunks that build it; usage comes last and only when asked for. */
export function streamChat(completion: EncodedCompletion, includeUsage: boolean): string[] {
  const { choices, usage, ...rest } = completion
  const [{ message, finish_reason }] = choices
  const chunk = (choice?: object, more: object = {}) => ({
    ...rest,
    object: 'chat.completion.chunk',
    choices: choice ? [{ index: 0, logprobs: null, finish_reason: null, ...choice }] : [],
    ...(includeUsage ? { usage: null } : {}),
    ...more,
  })
  const { role, content, refusal, tool_calls = [] } = message
  const deltas = [
    { role, content: content === null ? null : '', refusal },
    ...cutInPieces(content ?? '').map((piece) => ({ content: piece })),
    ...tool_calls.flatMap(callDeltas),
  ]
  const chunks = [
    ...deltas.map((delta) => chunk({ delta })),
    chunk({ delta: {}, finish_reason }),
    ...(includeUsage ? [chunk(undefined, { usage })] : []),
  ]
  return [...chunks.map((one) => eventText(one)), eventText('[DONE]')]
}

// id and name come once; what follows is told apart by its index
function callDeltas(call: EncodedCall, index: number): object[] {
  const { name, arguments: text } = call.function
  return [
    { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
    ...cutInPieces(text).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]
}
