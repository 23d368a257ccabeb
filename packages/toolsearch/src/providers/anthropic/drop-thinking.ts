import type { Repair, Repaired } from '../provider.ts'
import type { StaleThinking } from './anthropic-modes.ts'
import { type AnthropicMessage, blocksOf, isThinking } from './blocks.ts'

/** Removes all thinking. */
export function withoutThinking<Message extends AnthropicMessage>(
  messages: readonly Message[],
): Repaired<Message> {
  const repairs: Repair[] = []
  const cleaned = messages.map((message, at) => {
    const kept = blocksOf(message).filter((block) => !isThinking(block))
    if (kept.length === blocksOf(message).length) return message
    repairs.push({ kind: 'reasoning-dropped', about: 'thinking', at })
    return { ...message, content: kept }
  })
  return { messages: cleaned, repairs }
}

/**
 * Removes the thinking after the first message that differs from the messages `before`: newer Claude
 * models bind thinking to everything before it. Messages that were only appended change nothing.
 */
export function withoutStaleThinking(
  before: readonly AnthropicMessage[],
  after: readonly AnthropicMessage[],
  { stale, isPromptChanged }: { stale: StaleThinking; isPromptChanged: boolean },
  repairs: Repair[],
): readonly AnthropicMessage[] {
  const first = isPromptChanged ? 0 : after.findIndex((message, at) => message !== before[at])
  if (stale === 'keep' || first < 0 || first >= before.length) return after
  const end = stale === 'drop-closed' ? openTurn(after) : after.length
  return after.map((message, at) => {
    if (at < first || at >= end || message.role !== 'assistant') return message
    const blocks = blocksOf(message)
    const earlier = at === first && !isPromptChanged ? blocksOf(before[at]!) : []
    const changed = blocks.findIndex((block, index) => block !== earlier[index])
    const kept = blocks.filter(
      (block, index) => !isThinking(block) || changed < 0 || index < changed,
    )
    if (kept.length === blocks.length) return message
    const original = before.indexOf(message)
    repairs.push({ kind: 'reasoning-dropped', about: 'thinking', at: original < 0 ? at : original })
    return { ...message, content: kept }
  })
}

/** The index after the last message that the user wrote: calls from there on are still open. */
function openTurn(messages: readonly AnthropicMessage[]): number {
  const isWritten = (message: AnthropicMessage) =>
    message.role === 'user' && blocksOf(message).every(({ type }) => type !== 'tool_result')
  return messages.findLastIndex(isWritten) + 1
}
