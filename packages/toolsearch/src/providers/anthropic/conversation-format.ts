import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  FoundTool,
  ReadContext,
  ReportLost,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, readContent, writeMedia } from '../../conversations/media.ts'
import { additionDrafts, searchDrafts } from '../../conversations/search-drafts.ts'
import { isObject } from '../../is-object.ts'
import { partText } from '../../outputs/parts-text.ts'
import {
  ACCEPTED_NAME,
  type AnthropicMessage,
  type Block,
  blocksOf,
  changedName,
  foundNames,
  isNativeSearch,
  isThinking,
  referencedName,
  resultBlocks,
  text,
} from './blocks.ts'
import { mediaBlock } from './result-content.ts'

/** Messages of the Messages API. */
export const anthropicFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read: (messages, context) =>
    messages.flatMap((message, at) =>
      readMessage(message as unknown as AnthropicMessage, at, context),
    ),

  write: (messages, reportLost) =>
    joinResults(messages.map((message) => writeMessage(message, reportLost))),
}

function readMessage(message: AnthropicMessage, at: number, context: ReadContext): Draft[] {
  const blocks = blocksOf(message)
  if (message.role === 'assistant') return readAssistant(blocks, at, context)
  if (message.role === 'system') return readSystem(blocks, at, context)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  return [
    { role: 'tool', parts: results.map((block) => readResult(block, at, context.reportLost)), at },
    { role: 'user', parts: others.flatMap((block) => readPart(block, at, context.reportLost)), at },
  ]
}

/** A native search splits the message, because its result is part of it. */
function readAssistant(blocks: readonly Block[], at: number, context: ReadContext): Draft[] {
  const drafts: Draft[] = []
  let parts: DraftPart[] = []
  for (const block of blocks) {
    if (isNativeSearch(block)) {
      if (block.type !== 'server_tool_use') continue
      const result = blocks.find(
        ({ type, tool_use_id }) => type === 'tool_search_tool_result' && tool_use_id === block.id,
      )
      const [call, answer] = searchDrafts(
        {
          id: String(block.id),
          searchTool: context.searchTool,
          query: queryOf(block.input),
          at,
        },
        result === undefined ? [] : foundNames(result),
      )
      drafts.push({ role: 'assistant', parts: [...parts, ...call.parts], at })
      // Without a result, the search is still running.
      if (result !== undefined) drafts.push(answer)
      parts = []
    } else if (block.type === 'tool_use') {
      const { id, name, input } = block
      parts.push({ type: 'call', id, name: String(name), arguments: input })
    } else if (block.type === 'compaction') {
      context.reportLost(
        'compaction',
        at,
        'A compaction block became text; its signature was dropped.',
      )
      if (typeof block.content === 'string') parts.push({ type: 'text', text: block.content })
    } else if (isThinking(block)) {
      context.reportLost('thinking', at, 'Only the model that wrote it can read a thinking block.')
    } else {
      const [part] = readPart(block, at, context.reportLost)
      const last = parts.at(-1)
      // A text with citations is split into several blocks.
      if (part?.type === 'text' && last?.type === 'text') {
        parts[parts.length - 1] = { type: 'text', text: last.text + part.text }
      } else if (part !== undefined) parts.push(part)
    }
  }
  return [...drafts, { role: 'assistant', parts, at }]
}

function queryOf(input: unknown): string {
  const { query, pattern } = isObject(input) ? input : {}
  return String(query ?? pattern ?? '')
}

/** A tool that was added during the conversation becomes a search that found it. */
function readSystem(blocks: readonly Block[], at: number, context: ReadContext): Draft[] {
  const added = blocks.filter(({ type }) => type === 'tool_addition').flatMap(addedTool)
  for (const block of blocks.filter(({ type }) => type === 'tool_removal')) {
    const reason = `The removal of ${changedName(block)} has no counterpart; the tool list tells it.`
    context.reportLost('tool-removal', at, reason)
  }
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [textPart(block)] : []))
  const instruction: Draft = { role: 'system', parts: texts, at }
  if (added.length === 0) return [instruction]
  const { searchTool } = context
  return [...additionDrafts({ id: 'added', searchTool, at }, added), instruction]
}

function addedTool(block: Block): FoundTool[] {
  const { definition } = isObject(block.tool) ? block.tool : {}
  const name = changedName(block)
  if (name === '') return []
  if (!isObject(definition)) return [name]
  const { description, input_schema: inputSchema } = definition
  return [{ name, description: String(description ?? ''), inputSchema }]
}

function readResult(block: Block, at: number, reportLost: ReportLost): DraftPart {
  const blocks = resultBlocks(block)
  const found = blocks.flatMap((inner) => referencedName(inner) ?? [])
  const parts = blocks
    .filter((inner) => referencedName(inner) === undefined)
    .flatMap((inner) => readPart(inner, at, reportLost))
  // A text next to references already names the tools.
  const isUndescribed = found.length > 0 && !parts.some(({ type }) => type === 'text')
  return {
    type: 'result',
    callId: block.tool_use_id,
    parts,
    isError: block.is_error === true,
    ...(isUndescribed && { found }),
  }
}

function readPart(block: Block, at: number, reportLost: ReportLost): ContentPart[] {
  const part = readContent(block)
  if (part !== undefined) return [part]
  if (block.type === 'image' || block.type === 'document') {
    const kind = block.type === 'image' ? 'image' : 'file'
    reportLost(kind, at, 'The file is stored at Anthropic; other providers cannot read it.')
  } else {
    reportLost('native', at, `Only Anthropic has blocks of the type ${String(block.type)}.`)
  }
  return []
}

function textPart({ text: value }: Block): { type: 'text'; text: string } {
  return { type: 'text', text: String(value ?? '') }
}

function writeMessage(
  { role, parts, at }: ConversationMessage,
  reportLost: ReportLost,
): AnthropicMessage {
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user message.')
  const content = parts.flatMap((part): Block[] => {
    if (part.type === 'text') return [text(part.text)]
    if (part.type === 'call') {
      return [{ type: 'tool_use', id: part.id, name: part.name, input: part.arguments }]
    }
    if (part.type === 'result') return [writeResult(part, at, reportLost)]
    if (role === 'assistant') {
      reportLost(part.type, at, 'Messages of the assistant can only contain text and calls.')
      return []
    }
    return writeMedia(part, { write: mediaBlock, at, reportLost })
  })
  return { role: role === 'assistant' ? 'assistant' : 'user', content }
}

function writeResult(
  { callId, parts, isError }: ResultPart,
  at: number,
  reportLost: ReportLost,
): Block {
  const content = parts.flatMap((part): Block[] => {
    if (!isMedia(part)) return partText(part) === '' ? [] : [text(partText(part))]
    if (!isError) return writeMedia(part, { write: mediaBlock, at, reportLost })
    reportLost(part.type, at, 'An error result can only contain text.')
    return []
  })
  return {
    type: 'tool_result',
    tool_use_id: callId,
    ...(content.length > 0 && { content }),
    ...(isError && { is_error: true }),
  }
}

/** Results and the text that follows them are one message. Messages without blocks are left out. */
function joinResults(messages: readonly AnthropicMessage[]): Record<string, unknown>[] {
  const joined: AnthropicMessage[] = []
  for (const message of messages) {
    const blocks = blocksOf(message)
    const last = joined.at(-1)
    const follows = last?.role === 'user' && message.role === 'user'
    if (blocks.length === 0) continue
    if (follows) joined[joined.length - 1] = { role: 'user', content: [...last.content, ...blocks] }
    else joined.push(message)
  }
  return joined.map((message) => ({ ...message }))
}
