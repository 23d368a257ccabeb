import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { IndexedRepair, Repair } from '../provider.ts'
import { NO_ERROR_MESSAGE } from '../write-parts.ts'
import type { StaleThinking } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  blocksOf,
  isSameList,
  isSignedCompaction,
  resultBlocks,
  text,
  withBlocks,
} from './blocks.ts'
import { withoutStaleThinking } from './drop-thinking.ts'
import { pairResults } from './pair-results.ts'

/** Makes a history well formed. Messages that are fine stay the same objects. */
export function repair<Message extends AnthropicMessage>(
  messages: readonly Message[],
  stale: StaleThinking,
): IndexedRepair<Message> {
  const repairs: Repair[] = []
  const start = startOf(messages)
  const current = start === 0 ? messages : messages.slice(start)
  const cleaned = current.map((message, at) => cleanMessage(message, at, repairs))
  const { paired, indexes } = pairResults(cleaned, repairs)
  if (repairs.length === 0 && start === 0) return { messages, repairs }
  const repaired = withoutStaleThinking(current, paired, { stale, isPromptChanged: false }, repairs)
  const moved = repairs.map((repair) => ({ ...repair, at: repair.at + start }))
  const compacted: Repair = { kind: 'history-compacted', about: 'compaction', at: start }
  return {
    messages: repaired as Message[],
    repairs: start === 0 ? repairs : [compacted, ...moved],
    indexes: indexes.map((index) => index + start),
  }
}

/** A signed summary replaces the messages before it, and the service accepts it only at the start. */
function startOf(messages: readonly AnthropicMessage[]): number {
  const at = messages.findLastIndex((message) => blocksOf(message).some(isSignedCompaction))
  return Math.max(0, at)
}

function cleanMessage(message: AnthropicMessage, at: number, repairs: Repair[]): AnthropicMessage {
  const report: Report = (kind, about) => repairs.push({ kind, about, at })
  const before = blocksOf(message)
  const after = before.flatMap((block) => cleanBlock(block, report))
  return withBlocks(message, before, after)
}

type Report = (kind: Repair['kind'], about: string) => void

function cleanBlock(block: Block, report: Report): readonly Block[] {
  if (isBlank(block)) {
    report('empty-dropped', 'text')
    return []
  }
  if (block.type === 'tool_use') return [cleanCall(block, report)]
  if (block.type === 'tool_result') return [cleanResult(withValidId(block), report)]
  return [block]
}

/** The service rejects text that is only whitespace, though models write it. */
function isBlank({ type, text }: Block): boolean {
  return type === 'text' && (typeof text !== 'string' || text.trim() === '')
}

/** Calls by other providers' models may have ids or arguments that the service rejects. */
function cleanCall(block: Block, report: Report): Block {
  const id = validId(block.id)
  const input = isObject(block.input) ? block.input : {}
  if (id === block.id && input === block.input) return block
  report('call-fixed', String(block.id))
  return { ...block, id, input }
}

function withValidId(block: Block): Block {
  const id = validId(block.tool_use_id)
  return id === block.tool_use_id ? block : { ...block, tool_use_id: id }
}

function validId(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
}

function cleanResult(block: Block, report: Report): Block {
  const before = resultBlocks(block)
  const after = before.filter((inner) => {
    if (isBlank(inner)) report('empty-dropped', String(block.tool_use_id))
    return !isBlank(inner)
  })
  const isSame = isSameList(before, after)
  // The service rejects an empty list, but accepts a result without content, unless it is an error.
  const isEmpty = after.length === 0 && (Array.isArray(block.content) || block.is_error === true)
  if (isEmpty && isSame) report('empty-dropped', String(block.tool_use_id))
  if (isSame && !isEmpty) return block
  const { content: _, ...rest } = block
  if (after.length > 0) return { ...rest, content: after }
  return block.is_error === true ? { ...rest, content: [text(NO_ERROR_MESSAGE)] } : rest
}
