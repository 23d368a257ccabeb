import { isObject } from '../../is-object.ts'
import { type Block, blocksIn, idIn } from '../../transcript/block.ts'
import type {
  CallPart,
  Entry,
  FoundPart,
  OtherPart,
  Part,
  ResultPart,
  TextPart,
} from '../../transcript/entry.ts'
import { readContent } from '../../transcript/read-content.ts'
import { isInstruction } from './chat-message.ts'
import { withoutBlock } from './with-instructions.ts'

/** Types of content parts in Anthropic's API and in the Responses API. */
const FOREIGN_PART =
  /^(?:tool_|server_tool_|thinking$|redacted_thinking$|image$|document$|input_(?!audio)|output_)/

/** Whether a message has the shape of Chat Completions. Plain text fits other APIs too. */
export function recognises(message: object): boolean | undefined {
  const { role, content, type, parts, tool_calls } = message as Block
  if (role === 'tool' || Array.isArray(tool_calls)) return true
  if (Array.isArray(parts)) return false
  if (role === undefined) return typeof type === 'string' ? false : undefined
  if (!Array.isArray(content)) return undefined
  const types = content.filter(isObject).map((part) => String(part.type))
  if (types.some((each) => FOREIGN_PART.test(each))) return false
  return types.some((each) => each !== 'text') ? true : undefined
}

/** What a message of Chat Completions says. */
export function read(message: object, at: number): Entry {
  const native = message as Block
  const { role, content } = native
  if (isInstruction(native)) {
    return { role: 'system', parts: contentParts(withoutBlock(native).content), native, at }
  }
  if (role === 'tool') return { role: 'tool', parts: [readResult(native)], native, at }
  if (role === 'assistant') return { role: 'assistant', parts: readReply(native), native, at }
  return { role: 'user', parts: contentParts(content), native, at }
}

function readResult(message: Block): ResultPart {
  const { tool_call_id: id, content } = message
  const references = blocksIn(content).filter(({ type }) => type === 'tool_reference')
  return {
    type: 'result',
    callId: idIn(id),
    // chat templates leave out what is next to references
    parts: references.length > 0 ? references.map(readReference) : contentParts(content),
    isError: false,
    native: message,
  }
}

function readReference(native: Block): FoundPart {
  return { type: 'found', tools: [{ name: String(native.name) }], as: 'reference', native }
}

/** Fields in which endpoints return the reasoning of a model. */
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details']

function readReply(message: Block): Part[] {
  const { content, refusal, audio, tool_calls: calls } = message
  const hasReasoning = REASONING.some((field) => message[field] != null)
  return [
    ...(hasReasoning ? [{ type: 'reasoning', native: message } as const] : []),
    ...(isObject(audio) ? [spoken(audio)] : []),
    ...contentParts(content),
    ...(typeof refusal === 'string' ? contentParts(refusal) : []),
    ...(Array.isArray(calls) ? calls.filter(isObject).flatMap(readCall) : []),
  ]
}

/** A reply that was spoken. */
function spoken(native: Block): OtherPart {
  return { type: 'other', kind: 'audio', stored: 'audio', native }
}

function readCall(native: Block): CallPart[] {
  const { function: called, custom } = native
  const id = idIn(native.id)
  if (isObject(custom)) {
    const { name, input } = custom
    return [{ type: 'call', id, name: String(name), arguments: { input }, native }]
  }
  const { name, arguments: input } = isObject(called) ? called : {}
  return typeof name === 'string' && name !== ''
    ? [{ type: 'call', id, name, arguments: input, native }]
    : []
}

function contentParts(content: unknown): (TextPart | OtherPart)[] {
  return blocksIn(content).map((part) => readContent(part, { file: 'file' }))
}
