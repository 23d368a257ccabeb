import type { DecodedReply, WireCall } from '../provider.ts'
import { type AnthropicMessage, type Block, blocksOf, foundNames } from './blocks.ts'

/** The part of a reply that is read. */
export interface AnthropicReply {
  readonly content?: readonly unknown[]
  readonly stop_reason?: string | null
}

export function decode<Message extends AnthropicMessage>(
  reply: AnthropicReply,
): DecodedReply<Message> {
  const content = reply.content ?? []
  const message = { role: 'assistant', content } as unknown as Message
  const blocks = blocksOf(message)
  return {
    // a message without content would be refused when it is sent back
    messages: content.length > 0 ? [message] : [],
    calls: blocks.flatMap((block) => callOf(block) ?? []),
    found: blocks
      .filter((block) => block.type === 'tool_search_tool_result')
      .flatMap((block) => foundNames(block)),
    isPaused: reply.stop_reason === 'pause_turn',
  }
}

export function callOf(block: Block): WireCall | undefined {
  if (block.type !== 'tool_use') return undefined
  return { id: String(block.id), name: String(block.name), arguments: block.input }
}
