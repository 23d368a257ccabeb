import type { OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import type { Block } from '../../transcript/block.ts'
import type {
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from '../../transcript/conversation.ts'
import { isMedia, resultText, writeMedia } from '../../transcript/media.ts'
import { developerText } from './items.ts'
import { mediaItem } from './output-content.ts'

/** Writes a conversation as input items of the Responses API. */
export function write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[] {
  return messages.flatMap((message) => writeMessage(message, reportLost))
}

function writeMessage({ role, parts, at }: ConversationMessage, reportLost: ReportLost): Block[] {
  if (role === 'system') return [developerText(resultText(parts as readonly OutputPart[]))]
  if (role === 'user') {
    const content = parts.flatMap((part) => writeContent(part as OutputPart, at, reportLost))
    const [first, ...rest] = content
    if (first === undefined) return []
    const isText = rest.length === 0 && first.type === 'input_text'
    return [{ role: 'user', content: isText ? first.text : content }]
  }
  return parts.flatMap((part): Block[] => {
    if (part.type === 'text') return [{ role: 'assistant', content: part.text }]
    if (part.type === 'result') return [writeResult(part, at, reportLost)]
    if (part.type !== 'call') {
      reportLost(part.type, at, 'Messages of the assistant can only contain text.')
      return []
    }
    const { id, name, arguments: input } = part
    return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) }]
  })
}

function writeResult(
  { callId, parts, isError }: ConversationResult,
  at: number,
  reportLost: ReportLost,
): Block {
  if (isError)
    reportLost('error-flag', at, 'A function call output has no error flag; its text stays.')
  const output = parts.some(isMedia)
    ? parts.flatMap((part) => writeContent(part, at, reportLost))
    : resultText(parts)
  return { type: 'function_call_output', call_id: callId, output }
}

function writeContent(part: OutputPart, at: number, reportLost: ReportLost): Block[] {
  if (!isMedia(part)) return [{ type: 'input_text', text: partText(part) }]
  const items = writeMedia(part, { write: mediaItem, at, reportLost })
  // The types of OpenAI's client require `detail` in messages of the user.
  return items.map((item) => (item.type === 'input_image' ? { ...item, detail: 'auto' } : item))
}
