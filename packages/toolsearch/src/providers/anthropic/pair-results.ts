import type { Block } from '../../transcript/block.ts'
import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-texts.ts'
import {
  type AnthropicMessage,
  blocksOf,
  text,
  toolsetOf,
  withBlocks,
  withoutTrailingThinking,
} from './blocks.ts'

/**
 * Puts the result of every call at the start of the message after the call. Moves results that are
 * elsewhere, adds placeholders for missing ones, and drops results without a call. `indexes` has the
 * original index of each message.
 */
export function pairResults(
  messages: readonly AnthropicMessage[],
  repairs: Repair[],
): { paired: AnthropicMessage[]; indexes: number[] } {
  const results = collectResults(messages)
  const called = new Set<unknown>()
  const toolsets = new Map<string, Block>()
  const paired: AnthropicMessage[] = []
  const indexes: number[] = []
  let waiting: string[] = []
  messages.forEach((message, at) => {
    // A system message does not belong between a call and its result.
    const isUser = message.role === 'user'
    if (waiting.length > 0 && !isUser) answerWaiting(at)
    const blocks = blocksOf(message)
    if (isUser) {
      const expected = waiting.length > 0 ? resultsFor(waiting, at, blocks) : []
      waiting = []
      push(message, [...expected, ...blocks.filter((block) => !isResult(block))], blocks, at)
      reportDropped(blocks, expected, at)
      return
    }
    const kept = blocks.filter((block) => {
      if (block.type !== 'tool_use') return true
      if (called.has(block.id)) {
        repairs.push({ kind: 'duplicate-dropped', about: String(block.id), at })
        return false
      }
      called.add(block.id)
      waiting.push(String(block.id))
      toolsets.set(String(block.id), toolsetOf(block))
      return true
    })
    const finished = withoutTrailingThinking(kept)
    if (finished !== kept) repairs.push({ kind: 'reasoning-dropped', about: 'thinking', at })
    push(message, finished, blocks, at)
  })
  if (waiting.length > 0) answerWaiting(messages.length)
  return { paired, indexes }

  function answerWaiting(at: number): void {
    paired.push({ role: 'user', content: resultsFor(waiting, at) })
    indexes.push(at)
    waiting = []
  }

  function push(
    message: AnthropicMessage,
    after: readonly Block[],
    before: readonly Block[],
    at: number,
  ): void {
    if (after.length === 0) {
      repairs.push({ kind: 'empty-dropped', about: message.role, at })
      return
    }
    paired.push(withBlocks(message, before, after))
    indexes.push(at)
  }

  /** The results of the calls `ids`, for a message that currently has the blocks `here`. */
  function resultsFor(ids: readonly string[], at: number, here: readonly Block[] = []): Block[] {
    const found = ids.map((id) => {
      const block = results.get(id)
      if (block === undefined) {
        repairs.push({ kind: 'call-answered', about: id, at })
        return {
          type: 'tool_result',
          tool_use_id: id,
          ...toolsets.get(id),
          content: [text(NO_RESULT)],
        }
      }
      if (!here.includes(block)) repairs.push({ kind: 'result-moved', about: id, at })
      return block
    })
    const first = here.slice(0, found.length)
    const isLate = found.some((block) => here.includes(block) && !first.includes(block))
    if (isLate) repairs.push({ kind: 'result-moved', about: ids.join(', '), at })
    return found
  }

  function reportDropped(blocks: readonly Block[], expected: readonly Block[], at: number): void {
    for (const block of blocks) {
      if (!isResult(block) || expected.includes(block)) continue
      const about = String(block.tool_use_id)
      // A moved result is reported at its new position.
      if (results.get(about) === block && called.has(about)) continue
      repairs.push({ kind: 'result-dropped', about, at })
    }
  }
}

/** The first result of each call. A result before its call does not count. */
function collectResults(messages: readonly AnthropicMessage[]): Map<string, Block> {
  const called = new Set<string>()
  const results = new Map<string, Block>()
  for (const message of messages) {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_use') called.add(String(block.id))
      const id = String(block.tool_use_id)
      if (isResult(block) && called.has(id) && !results.has(id)) results.set(id, block)
    }
  }
  return results
}

function isResult(block: Block): boolean {
  return block.type === 'tool_result'
}
