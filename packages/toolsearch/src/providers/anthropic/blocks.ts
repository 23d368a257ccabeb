import { isObject } from '../../is-object.ts'
import { type Block, blocksIn } from '../../transcript/block.ts'

/** The tool names that the service accepts. */
export const ACCEPTED_NAME: RegExp = /^[a-zA-Z0-9_-]{1,128}$/

/**
 * A message of the Messages API. To get the client's own message type back, pass it as the type
 * argument of `anthropic`. The default type is assignable to the client's.
 */
export interface AnthropicMessage {
  // biome-ignore lint/suspicious/noExplicitAny: client versions disagree on roles and blocks
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content?: any
}

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

/** The blocks of a message. */
export function blocksOf({ content }: { readonly content?: unknown }): readonly Block[] {
  return content === '' ? [] : blocksIn(content)
}

/** The same message object if its blocks are unchanged, otherwise a copy with the new blocks. */
export function withBlocks(
  message: AnthropicMessage,
  before: readonly Block[],
  after: readonly Block[],
): AnthropicMessage {
  return isSameList(before, after) ? message : { ...message, content: after }
}

export function isSameList(before: readonly Block[], after: readonly Block[]): boolean {
  return after.length === before.length && after.every((block, index) => block === before[index])
}

/** The blocks inside a tool result. */
export function resultBlocks({ content }: Block): readonly Block[] {
  return blocksIn(content)
}

/** The tools that a result of Anthropic's own search references. */
export function foundNames(block: Block): string[] {
  const { tool_references } = (block.content ?? {}) as Block
  if (!Array.isArray(tool_references)) return []
  return tool_references.flatMap((reference: unknown) => referencedName(reference) ?? [])
}

/** The field that the result of a call to a member of Anthropic's toolsets must repeat. */
export function toolsetOf({ toolset_name }: Block): Block {
  return typeof toolset_name === 'string' ? { toolset_name } : {}
}

export function referencedName(block: unknown): string | undefined {
  if (!isObject(block) || block.type !== 'tool_reference') return undefined
  const name = block.tool_name ?? block.name
  return typeof name === 'string' ? name : undefined
}

/** A call or a result of Anthropic's own search. */
export function isNativeSearch(block: Block): boolean {
  if (block.type === 'tool_search_tool_result') return true
  return (
    block.type === 'server_tool_use' &&
    typeof block.name === 'string' &&
    block.name.startsWith('tool_search_tool')
  )
}

/** A block that adds or removes a tool during a conversation. */
export function isToolChange(block: Block): boolean {
  return block.type === 'tool_addition' || block.type === 'tool_removal'
}

/** The tool that a tool change adds or removes. */
export function changedName(block: Block): string {
  const tool = isObject(block.tool) ? block.tool : {}
  const named = isObject(tool.definition) ? tool.definition : tool
  return String(named.name ?? '')
}

/** Whether a tool change carries the definition instead of a reference. */
export function isInlineChange(block: Block): boolean {
  return isObject(block.tool) && block.tool.type === 'tool_definition'
}

export function text(value: string): Block {
  return { type: 'text', text: value }
}

/** A summary that replaces all messages before it. */
export function isCompaction({ type, content }: Block): boolean {
  return type === 'compaction' && typeof content === 'string'
}

/** A summary that must be the only block of the first message. */
export function isSignedCompaction(block: Block): boolean {
  return isCompaction(block) && typeof block.signature === 'string'
}

/** The additions and removals of the messages that a summary replaces. */
export function toolChangesOf({ tool_changes }: Block): readonly Block[] {
  return Array.isArray(tool_changes) ? tool_changes.filter(isObject) : []
}

/**
 * The blocks of an assistant turn. A turn that was paused and continued has several messages. `at`
 * is the index of one of them.
 */
export function turnBlocks(messages: readonly AnthropicMessage[], at: number): readonly Block[] {
  const isAssistant = (index: number) => messages[index]?.role === 'assistant'
  let start = at
  while (isAssistant(start - 1)) start--
  let end = at + 1
  while (isAssistant(end)) end++
  return messages.slice(start, end).flatMap(blocksOf)
}

/** Whether the next reply continues a paused turn. */
export function isPaused(messages: readonly AnthropicMessage[]): boolean {
  return messages.at(-1)?.role === 'assistant'
}

const THINKING_TYPES: readonly unknown[] = ['thinking', 'redacted_thinking']

export function isThinking({ type }: Block): boolean {
  return THINKING_TYPES.includes(type)
}

/**
 * The service rejects a message that ends with thinking, as an interrupted reply can.
 * @see https://github.com/tailcallhq/forgecode/issues/2107
 */
export function withoutTrailingThinking(blocks: readonly Block[]): readonly Block[] {
  const end = blocks.findLastIndex((block) => !isThinking(block)) + 1
  return end === blocks.length ? blocks : blocks.slice(0, end)
}
