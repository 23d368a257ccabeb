import { isObject } from '../../is-object.ts'
import { type Block, blocksIn, idIn, textIn } from '../../transcript/block.ts'
import type {
  ChangePart,
  Entry,
  FoundPart,
  OtherPart,
  Part,
  ResultPart,
  TextPart,
} from '../../transcript/entry.ts'
import { readContent, readOutput } from '../../transcript/read-content.ts'
import { referencedBy, revealedByAnswer, revealedBySearch } from './revealed-tools.ts'

/** The parts that no other API has. Those of UI messages have a state. */
const OWN_PART = /^(?:tool-(?:call|result)|dynamic-tool|step-start)$/

/** Whether a message certainly is one of the AI SDK. */
export function recognises(message: object): boolean | undefined {
  const { content, parts, providerOptions } = message as Block
  if (isObject(providerOptions)) return true
  const blocks = blocksIn(parts ?? content)
  return blocks.some(({ type, state }) => OWN_PART.test(String(type)) || typeof state === 'string')
    ? true
    : undefined
}

/**
 * What a model message or a UI message of the AI SDK says. The model behind it can be anyone's, and
 * options for its provider can add and remove tools.
 */
export function read(message: object, at: number): Entry {
  const native = message as Block
  const { role, content, parts } = native
  const isKnown = role === 'system' || role === 'assistant' || role === 'tool'
  return {
    role: isKnown ? role : 'user',
    parts: [...blocksIn(parts ?? content).flatMap(readPart), ...changesIn(native)],
    native,
    at,
  }
}

function readPart(native: Block): Part[] {
  const { type, toolCallId, toolName, input, state, output } = native
  const id = idIn(toolCallId)
  if (type === 'reasoning' || type === 'reasoning-file') return [{ type: 'reasoning', native }]
  if (type === 'tool-call' && native.providerExecuted !== true) {
    return [{ type: 'call', id, name: String(toolName), arguments: input, native }]
  }
  if (type === 'tool-result') return [readResult(native), ...changesIn(native)]
  if (isSummary(native)) return [{ type: 'summary', text: textIn(native), changes: [], native }]
  if (typeof state !== 'string' || id === undefined) return [readFile(native)]
  // a part of a UI message has a call and its result
  const name = String(toolName ?? String(type).replace(/^tool-/, ''))
  return [
    { type: 'call', id, name, arguments: input, native },
    {
      type: 'result',
      callId: id,
      parts: [readOutput(output, native)],
      isError: state === 'output-error',
      native,
    },
  ]
}

/** Whether the service drops everything before this block, which it wrote itself. */
function isSummary({ type, kind, providerOptions }: Block): boolean {
  if (type === 'custom') return String(kind).endsWith('.compaction')
  const { anthropic } = isObject(providerOptions) ? providerOptions : {}
  return type === 'text' && isObject(anthropic) && anthropic.type === 'compaction'
}

/** Tools that the options for a provider add or remove. */
function changesIn(native: Block): ChangePart[] {
  const { anthropic, openai } = isObject(native.providerOptions) ? native.providerOptions : {}
  const { toolChanges } = isObject(anthropic) ? anthropic : {}
  const { additionalTools } = isObject(openai) ? openai : {}
  const added = blocksIn(additionalTools).map(({ name }) => String(name))
  return [
    ...(added.length > 0 ? [addition(added, native)] : []),
    ...blocksIn(toolChanges).map(({ type, toolName, tool }): ChangePart => {
      const name = String(toolName ?? (isObject(tool) ? tool.name : ''))
      return type === 'tool_removal'
        ? { type: 'removed', names: [name], native }
        : addition([name], native)
    }),
  ]
}

function addition(names: readonly string[], native: Block): ChangePart {
  return { type: 'added', tools: names.map((name) => ({ name })), as: 'definition', native }
}

function readResult(native: Block): ResultPart {
  const { toolCallId, toolName, output } = native
  const { type, value, reason } = isObject(output) ? output : {}
  const data = type === 'execution-denied' ? (reason ?? 'The call was denied.') : value
  const read =
    type === 'content' ? blocksIn(value).map(readResultBlock) : [readOutput(data, native)]
  return {
    type: 'result',
    callId: idIn(toolCallId),
    name: String(toolName),
    parts: [...read, ...foundIn(native)],
    isError: String(type).startsWith('error') || type === 'execution-denied',
    native,
  }
}

function readResultBlock(native: Block): TextPart | FoundPart | OtherPart {
  const tools = referencedBy(native)
  return tools.length > 0 ? { type: 'found', tools, as: 'reference', native } : readFile(native)
}

/** Tools that an output has next to what the model reads. */
function foundIn(native: Block): FoundPart[] {
  // the request has the definition in the form of its mode
  const answered = revealedByAnswer(native)
  const parts: FoundPart[] = [
    { type: 'found', tools: answered, as: 'reference', native },
    { type: 'found', tools: [...answered, ...revealedBySearch(native)], as: 'definition', native },
  ]
  return parts.filter(({ tools }) => tools.length > 0)
}

function readFile(native: Block): TextPart | OtherPart {
  const part = readContent(native)
  if (part.type === 'text') return part
  const isFile = part.kind === 'image' || part.kind.startsWith('file')
  return { ...part, block: resultFile(native), ...(isFile && { stored: 'file' }) }
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
