import { isObject } from '../../is-object.ts'
import { type Block, idIn } from '../../transcript/block.ts'
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
import { readContent } from '../../transcript/read-content.ts'
import { blocksOf, isCompaction, resultBlocks } from './blocks.ts'

const ROLES: readonly unknown[] = ['user', 'assistant', 'system']
/** Types of content parts in OpenAI's APIs. */
const FOREIGN_PART = /^(?:input_|output_|image_url$|file$|refusal$)/

/** Whether a message has the shape of the Messages API. Plain text fits other APIs too. */
export function recognises(message: object): boolean | undefined {
  const { role, type, parts, tool_calls } = message as Block
  if (Array.isArray(parts) || Array.isArray(tool_calls)) return false
  if (role === undefined ? typeof type === 'string' : !ROLES.includes(role)) return false
  const types = blocksOf(message).map((block) => String(block.type))
  if (types.some((each) => FOREIGN_PART.test(each))) return false
  return types.some((each) => each !== 'text') ? true : undefined
}

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
    return { type: 'call', id: idIn(id), name: String(name), arguments: input, native: block }
  }
  if (type === 'tool_result') return readResult(block)
  if (isNativeSearch(block)) return readNativeSearch(block)
  if (isToolChange(block)) return readChange(block)
  if (isThinking(block)) return { type: 'reasoning', native: block }
  if (isCompaction(block)) {
    const changes = toolChangesOf(block).filter(isToolChange).map(readChange)
    return { type: 'summary', text: String(block.content), changes, native: block }
  }
  return readContent(block, STORED)
}

function readResult(block: Block): ResultPart {
  return {
    type: 'result',
    callId: idIn(block.tool_use_id),
    parts: resultBlocks(block).map(readResultBlock),
    isError: block.is_error === true,
    native: block,
  }
}

function readResultBlock(block: Block): TextPart | FoundPart | OtherPart {
  const name = referencedName(block)
  return name === undefined ? readContent(block, STORED) : references([name], block)
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
      id: idIn(block.id),
      name: String(block.name),
      arguments: { query: String(query ?? pattern ?? '') },
      search: 'provider',
      native: block,
    }
  }
  return {
    type: 'result',
    callId: idIn(block.tool_use_id),
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

/** Blocks whose media can be stored at Anthropic. */
const STORED = { image: 'image', document: 'file' } as const

/** The tools that a result of Anthropic's own search references. */
function foundNames(block: Block): string[] {
  const { tool_references } = (block.content ?? {}) as Block
  if (!Array.isArray(tool_references)) return []
  return tool_references.flatMap((reference: unknown) => referencedName(reference) ?? [])
}

function referencedName(block: unknown): string | undefined {
  if (!isObject(block) || block.type !== 'tool_reference') return undefined
  const name = block.tool_name ?? block.name
  return typeof name === 'string' ? name : undefined
}

/** A call or a result of Anthropic's own search. */
function isNativeSearch(block: Block): boolean {
  if (block.type === 'tool_search_tool_result') return true
  return (
    block.type === 'server_tool_use' &&
    typeof block.name === 'string' &&
    block.name.startsWith('tool_search_tool')
  )
}

/** A block that adds or removes a tool during a conversation. */
function isToolChange(block: Block): boolean {
  return block.type === 'tool_addition' || block.type === 'tool_removal'
}

/** The tool that a tool change adds or removes. */
function changedName(block: Block): string {
  const tool = isObject(block.tool) ? block.tool : {}
  const named = isObject(tool.definition) ? tool.definition : tool
  return String(named.name ?? '')
}

/** The additions and removals of the messages that a summary replaces. */
function toolChangesOf({ tool_changes }: Block): readonly Block[] {
  return Array.isArray(tool_changes) ? tool_changes.filter(isObject) : []
}

const THINKING_TYPES: readonly unknown[] = ['thinking', 'redacted_thinking']

function isThinking({ type }: Block): boolean {
  return THINKING_TYPES.includes(type)
}
