import { isObject } from '../../is-object.ts'
import { type Block, blocksIn, textIn } from '../../transcript/block.ts'
import type {
  Entry,
  FoundPart,
  FoundTool,
  OtherPart,
  Part,
  ResultPart,
  TextPart,
} from '../../transcript/entry.ts'
import type { RevealedTool } from './sdk-mode.ts'
import { revealedByBlock } from './tool-reference.ts'

/** What a model message of the AI SDK says. The model behind it can be anyone's. */
export function read(message: Block, at: number): Entry {
  const { role, content } = message
  const isKnown = role === 'system' || role === 'assistant' || role === 'tool'
  return {
    role: isKnown ? role : 'user',
    parts: blocksIn(content).map(readPart),
    native: message,
    at,
  }
}

function readPart(native: Block): Part {
  const { type, toolCallId, toolName: name, input } = native
  if (type === 'reasoning' || type === 'reasoning-file') return { type: 'reasoning', native }
  if (type === 'tool-call' && native.providerExecuted !== true) {
    return { type: 'call', id: idOf(toolCallId), name: String(name), arguments: input, native }
  }
  return type === 'tool-result' ? readResult(native) : readContent(native)
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : undefined
}

function readResult(native: Block): ResultPart {
  const { toolCallId, output } = native
  const { type, value, reason } = isObject(output) ? output : {}
  const data = type === 'execution-denied' ? (reason ?? 'The call was denied.') : value
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  return {
    type: 'result',
    callId: idOf(toolCallId),
    parts:
      type === 'content' ? blocksIn(value).map(readResultBlock) : [{ type: 'text', text, native }],
    isError: String(type).startsWith('error') || type === 'execution-denied',
    native,
  }
}

function readResultBlock(native: Block): TextPart | FoundPart | OtherPart {
  const tools = revealedByBlock(native).map(toFoundTool)
  return tools.length > 0 ? { type: 'found', tools, as: 'reference', native } : readContent(native)
}

function toFoundTool({ name, definition }: RevealedTool): FoundTool {
  if (definition === undefined) return { name }
  const { description, inputSchema } = definition
  return { name, ...(description !== undefined && { description }), inputSchema }
}

function readContent(native: Block): TextPart | OtherPart {
  const text = textIn(native)
  if (text !== undefined) return { type: 'text', text, native }
  const kind = String(native.type)
  const isFile = kind === 'image' || kind.startsWith('file')
  return {
    type: 'other',
    kind,
    block: resultFile(native),
    ...(isFile && { stored: 'file' }),
    native,
  }
}

/** Files of messages in the form of files in results: an address is marked as one. */
function resultFile(block: Block): Block {
  const { type, image, data = image, mediaType } = block
  if (type !== 'image' && type !== 'file') return block
  const isUrl = typeof data === 'string' && /^(?:https?|data):/i.test(data)
  return isUrl || data instanceof URL
    ? { ...block, type: `${type}-url`, url: String(data), mediaType: mediaType ?? '' }
    : { ...block, type: `${type}-data`, data, mediaType: mediaType ?? 'image/png' }
}
