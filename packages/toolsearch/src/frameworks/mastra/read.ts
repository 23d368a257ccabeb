import { isObject } from '../../is-object.ts'
import { type Block, textIn } from '../../transcript/block.ts'
import type { Entry, Part } from '../../transcript/entry.ts'
import { readOutput } from '../../transcript/read-content.ts'
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
  const output = readOutput(isObject(result) ? result.output : result, native)
  return [
    { type: 'call', id, name: String(toolName), arguments: args, native },
    { type: 'result', callId: id, parts: [output], isError: false, native },
  ]
}
