import type { MediaPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import type { Block } from '../../transcript/block.ts'
import type {
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from '../../transcript/conversation.ts'
import { isMedia, resultText, writeMedia } from '../../transcript/media.ts'

/** A model message of the AI SDK, assignable to the SDK's own type. */
export interface SdkModelMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has a type for each role
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content: any
}

/** Writes a conversation as model messages of the AI SDK. */
export function write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[] {
  return messages.flatMap((message) => writeMessage(message, reportLost))
}

function writeMessage({ role, parts, at }: ConversationMessage, reportLost: ReportLost): Block[] {
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user message.')
  const content = parts.flatMap((part): Block[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'result') return [writeResult(part, at, reportLost)]
    if (part.type !== 'call') return writeMedia(part, { write: filePart, at, reportLost })
    const { id, name, arguments: input } = part
    return [{ type: 'tool-call', toolCallId: id, toolName: name, input }]
  })
  return content.length > 0 ? [{ role: role === 'system' ? 'user' : role, content }] : []
}

function writeResult(
  { callId, name, parts, isError }: ConversationResult,
  at: number,
  reportLost: ReportLost,
): Block {
  const media = parts.filter(isMedia)
  if (isError) {
    for (const { type } of media) reportLost(type, at, 'An error result can only contain text.')
  }
  const output = isError
    ? { type: 'error-text', value: resultText(parts) }
    : media.length === 0
      ? { type: 'text', value: resultText(parts) }
      : {
          type: 'content',
          value: parts.flatMap((part): Block[] =>
            isMedia(part)
              ? writeMedia(part, { write: filePart, at, reportLost })
              : [{ type: 'text', text: partText(part) }],
          ),
        }
  return { type: 'tool-result', toolCallId: callId, toolName: name, output }
}

function filePart({ data, url, mimeType, filename }: MediaPart): Block | string {
  if (url !== undefined && !URL.canParse(url)) return `The address "${url}" is not a URL.`
  return {
    type: 'file',
    mediaType: mimeType,
    data:
      url === undefined ? { type: 'data', data: data ?? '' } : { type: 'url', url: new URL(url) },
    ...(filename !== undefined && { filename }),
  }
}
