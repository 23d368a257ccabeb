import { type Block, blocksIn } from '../../transcript/block.ts'
import type { Entry, Part } from '../../transcript/entry.ts'
import { readContent } from '../../transcript/read-content.ts'
import type { LangChainMessage } from './langchain-shapes.ts'

const ROLES: Readonly<Record<string, Entry['role']>> = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
}

/** What a message of LangChain says. */
export function read(message: object, at: number): Entry {
  const native = message as Block & LangChainMessage
  return { role: ROLES[native.type] ?? 'system', parts: readParts(native), native, at }
}

function readParts(native: Block & LangChainMessage): Part[] {
  const content = blocksIn(native.content).map((block) => readContent(block))
  if (native.type === 'tool') {
    const { tool_call_id: callId } = native
    return [{ type: 'result', callId, parts: content, isError: false, native }]
  }
  const calls = (native.tool_calls ?? []).map(
    ({ id, name, args }): Part => ({ type: 'call', id, name, arguments: args, native }),
  )
  return [...content, ...calls]
}
