import type { Block } from '../../transcript/block.ts'
import { foundNames } from '../../transcript/found-names.ts'
import type { DecodedReply, ProviderCall } from '../provider.ts'
import { replyList } from '../reply-list.ts'
import type { AnthropicMessage } from './blocks.ts'
import { read } from './read.ts'

/** The fields of a reply that the adapter reads. */
export interface AnthropicReply {
  readonly content: readonly unknown[]
  readonly stop_reason?: string | null
}

/** @throws InvalidReplyError */
export function decode<Message extends AnthropicMessage>(
  reply: AnthropicReply,
): DecodedReply<Message> {
  const content = withoutTruncatedCall(reply)
  const message = { role: 'assistant', content } as unknown as Message
  const { parts } = read(message, 0)
  return {
    // The service rejects a message without content when it is sent back.
    messages: content.length > 0 ? [message] : [],
    calls: parts.flatMap(({ native }) => callOf(native) ?? []),
    found: parts.flatMap((part) => (part.type === 'result' ? foundNames(part) : [])),
    isPaused: PAUSING_REASONS.includes(reply.stop_reason),
  }
}

/** The service has more to say: send the history with this reply again. */
const PAUSING_REASONS: readonly unknown[] = ['pause_turn', 'compaction']

const TRUNCATING_REASONS: readonly unknown[] = [
  'max_tokens',
  'model_context_window_exceeded',
  'refusal',
]

/** The last call of a truncated reply may lack arguments, so it must not run. */
function withoutTruncatedCall(reply: AnthropicReply): readonly unknown[] {
  const content = replyList(reply, 'content', "Anthropic's Messages API")
  const isTruncated =
    TRUNCATING_REASONS.includes(reply.stop_reason) && (content.at(-1) as Block)?.type === 'tool_use'
  return isTruncated ? content.slice(0, -1) : content
}

export function callOf(block: Block): ProviderCall | undefined {
  if (block.type !== 'tool_use') return undefined
  return {
    id: String(block.id),
    name: String(block.name),
    arguments: block.input,
    native: block,
    // Only members of Anthropic's own toolsets have this field.
    ...(typeof block.toolset_name === 'string' && { isForeign: true }),
  }
}
