import type { Repair } from '../provider.ts'
import { NO_RESULT } from '../repair-words.ts'
import { type AnthropicMessage, type Block, blocksOf, text } from './blocks.ts'

const THOUGHTS: readonly unknown[] = ['thinking', 'redacted_thinking']

/**
 * Gives every call its result in the very next message, first in it. Results elsewhere are moved
 * there, missing ones are made up, and results without a call are dropped.
 */
export function pairResults(
  messages: readonly AnthropicMessage[],
  repairs: Repair[],
): AnthropicMessage[] {
  const results = collectResults(messages)
  const seen = new Set<unknown>()
  const paired: AnthropicMessage[] = []
  let waiting: string[] = []
  messages.forEach((message, at) => {
    // tool changes may stand between a call and its result only by mistake
    const isUser = message.role === 'user'
    if (waiting.length > 0 && !isUser) {
      paired.push({ role: 'user', content: take(waiting, at) })
      waiting = []
    }
    const blocks = blocksOf(message)
    if (isUser) {
      const wanted = waiting.length > 0 ? take(waiting, at, blocks) : []
      waiting = []
      push(message, [...wanted, ...blocks.filter((block) => !isResult(block))], blocks, at)
      reportDropped(blocks, wanted, at)
      return
    }
    const kept = blocks.filter((block) => {
      if (block.type !== 'tool_use') return true
      if (seen.has(block.id)) {
        repairs.push({ kind: 'duplicate-dropped', about: String(block.id), at })
        return false
      }
      seen.add(block.id)
      waiting.push(String(block.id))
      return true
    })
    push(message, withoutLastThoughts(kept, at), blocks, at)
  })
  if (waiting.length > 0) paired.push({ role: 'user', content: take(waiting, messages.length) })
  return paired

  function push(
    message: AnthropicMessage,
    after: readonly Block[],
    before: readonly Block[],
    at: number,
  ): void {
    const isSame = after.length === before.length && after.every((block, i) => block === before[i])
    if (after.length === 0) repairs.push({ kind: 'empty-dropped', about: message.role, at })
    else paired.push(isSame ? message : { ...message, content: after })
  }

  /**
   * The service refuses a message that ends in a thought, as a reply that was cut off may.
   * @see https://github.com/tailcallhq/forgecode/issues/2107
   */
  function withoutLastThoughts(blocks: readonly Block[], at: number): readonly Block[] {
    const end = blocks.findLastIndex(({ type }) => !THOUGHTS.includes(type))
    if (end < blocks.length - 1) repairs.push({ kind: 'reasoning-dropped', about: 'thinking', at })
    return blocks.slice(0, end + 1)
  }

  function take(ids: readonly string[], at: number, here: readonly Block[] = []): Block[] {
    const taken = ids.map((id) => {
      const block = results.get(id)
      if (block === undefined) {
        repairs.push({ kind: 'call-answered', about: id, at })
        return { type: 'tool_result', tool_use_id: id, content: [text(NO_RESULT)] }
      }
      if (!here.includes(block)) repairs.push({ kind: 'result-moved', about: id, at })
      return block
    })
    const first = here.slice(0, taken.length)
    const isLate = taken.some((block) => here.includes(block) && !first.includes(block))
    if (isLate) repairs.push({ kind: 'result-moved', about: ids.join(', '), at })
    return taken
  }

  function reportDropped(blocks: readonly Block[], wanted: readonly Block[], at: number): void {
    for (const block of blocks) {
      if (!isResult(block) || wanted.includes(block)) continue
      const about = String(block.tool_use_id)
      // one that is moved is reported where it goes
      if (results.get(about) === block && seen.has(about)) continue
      repairs.push({ kind: 'result-dropped', about, at })
    }
  }
}

/** The first result of each call, which must come after it. */
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
