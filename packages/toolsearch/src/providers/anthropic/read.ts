import { isObject } from '../../is-object.ts'
import { type Block, textIn } from '../../transcript/block.ts'
import type {
  ChangePart,
  Entry,
  FoundPart,
  FoundTool,
  OtherPart,
  Part,
  ResultPart,
  TextPart,
} from '../../transcript/entry.ts'
import {
  blocksOf,
  changedName,
  foundNames,
  isCompaction,
  isNativeSearch,
  isThinking,
  isToolChange,
  referencedName,
  resultBlocks,
  toolChangesOf,
} from './blocks.ts'

/** What a message of the Messages API says. */
export function read(message: object, at: number): Entry {
  const native = message as Block
  const { role } = native
  return {
    role: role === 'assistant' || role === 'system' ? role : 'user',
    parts: blocksOf(native).map(readBlock),
    native,
    at,
  }
}

export function readBlock(block: Block): Part {
  const { type } = block
  if (type === 'tool_use') {
    const { id, name, input } = block
    return { type: 'call', id: idOf(id), name: String(name), arguments: input, native: block }
  }
  if (type === 'tool_result') return readResult(block)
  if (isNativeSearch(block)) return readNativeSearch(block)
  if (isToolChange(block)) return readChange(block)
  if (isThinking(block)) return { type: 'reasoning', native: block }
  if (isCompaction(block)) {
    const changes = toolChangesOf(block).filter(isToolChange).map(readChange)
    return { type: 'summary', text: String(block.content), changes, native: block }
  }
  return readContent(block)
}

function idOf(id: unknown): string | undefined {
  return typeof id === 'string' ? id : undefined
}

function readResult(block: Block): ResultPart {
  return {
    type: 'result',
    callId: idOf(block.tool_use_id),
    parts: resultBlocks(block).map(readResultBlock),
    isError: block.is_error === true,
    native: block,
  }
}

function readResultBlock(block: Block): TextPart | FoundPart | OtherPart {
  const name = referencedName(block)
  return name === undefined ? readContent(block) : references([name], block)
}

function references(names: readonly string[], native: Block): FoundPart {
  return { type: 'found', tools: names.map((name) => ({ name })), as: 'reference', native }
}

/** A call or a result of Anthropic's own search. A regular expression counts as a query. */
function readNativeSearch(block: Block): Part {
  if (block.type === 'server_tool_use') {
    const { query, pattern } = isObject(block.input) ? block.input : {}
    return {
      type: 'call',
      id: idOf(block.id),
      name: String(block.name),
      arguments: { query: String(query ?? pattern ?? '') },
      search: 'provider',
      native: block,
    }
  }
  return {
    type: 'result',
    callId: idOf(block.tool_use_id),
    parts: [references(foundNames(block), block)],
    isError: false,
    search: 'provider',
    native: block,
  }
}

function readChange(block: Block): ChangePart {
  const name = changedName(block)
  if (block.type !== 'tool_addition') return { type: 'removed', names: [name], native: block }
  const { definition } = isObject(block.tool) ? block.tool : {}
  const tools = name === '' ? [] : [isObject(definition) ? toTool(name, definition) : { name }]
  return {
    type: 'added',
    tools,
    as: isObject(definition) ? 'definition' : 'reference',
    native: block,
  }
}

function toTool(name: string, { description, input_schema: inputSchema }: Block): FoundTool {
  return { name, description: String(description ?? ''), inputSchema }
}

function readContent(block: Block): TextPart | OtherPart {
  const text = textIn(block)
  if (text !== undefined) return { type: 'text', text, native: block }
  const stored = STORED[String(block.type)]
  return { type: 'other', kind: String(block.type), ...(stored && { stored }), native: block }
}

const STORED: Readonly<Record<string, 'image' | 'file' | undefined>> = {
  image: 'image',
  document: 'file',
}
