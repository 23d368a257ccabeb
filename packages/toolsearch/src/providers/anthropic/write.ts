import { partText } from '../../outputs/parts-text.ts'
import type { Block } from '../../transcript/block.ts'
import type {
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from '../../transcript/conversation.ts'
import { isMedia, writeMedia } from '../../transcript/media.ts'
import { type AnthropicMessage, blocksOf, text } from './blocks.ts'
import { mediaBlock } from './result-content.ts'

/** Writes a conversation as messages of the Messages API. */
export function write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[] {
  return joinResults(messages.map((message) => writeMessage(message, reportLost)))
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
  { callId, parts, isError }: ConversationResult,
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
function joinResults(messages: readonly AnthropicMessage[]): Block[] {
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
