import { isObject } from '../../is-object.ts'
import { type Block, textIn } from '../../transcript/block.ts'
import type { Entry, Part } from '../../transcript/entry.ts'
import type { MastraMessage } from './mastra-shapes.ts'

/** What a message says that Mastra has stored. A call and its result are one part there. */
export function read(message: object, at: number): Entry {
  const native = message as Block & MastraMessage
  const { role, content } = native
  const parts = (content.parts ?? []) as readonly Block[]
  return {
    role: role === 'assistant' || role === 'user' ? role : 'system',
    parts: parts.flatMap(readPart),
    native,
    at,
  }
}

function readPart(native: Block): Part[] {
  const { toolInvocation } = native
  if (!isObject(toolInvocation)) {
    const text = textIn(native)
    return text === undefined ? [] : [{ type: 'text', text, native }]
  }
  const { toolCallId, toolName, args, result } = toolInvocation
  const id = String(toolCallId)
  // what our tools return
  const output = isObject(result) ? result.output : result
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? '')
  return [
    { type: 'call', id, name: String(toolName), arguments: args, native },
    { type: 'result', callId: id, parts: [{ type: 'text', text, native }], isError: false, native },
  ]
}
