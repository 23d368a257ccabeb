import { typeOfName } from '../../outputs/file-types.ts'
import { isGeminiNestable } from '../../outputs/gemini-media.ts'
import type { MediaPart } from '../../outputs/output-part.ts'
import type { Block } from '../../transcript/block.ts'
import type {
  ConversationMessage,
  ConversationResult,
  ReportLost,
} from '../../transcript/conversation.ts'
import { isMedia, resultText, writeMedia } from '../../transcript/media.ts'
import { unsigned } from './read.ts'
import { inlinePart } from './results.ts'

/** Writes a conversation as contents of the Gemini API. */
export function write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[] {
  return messages.flatMap((message) => writeContent(message, reportLost))
}

function writeContent(message: ConversationMessage, reportLost: ReportLost): Block[] {
  const { role, at } = message
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user content.')
  const attachments: Block[] = []
  const parts = message.parts.flatMap((part): Block[] => {
    if (part.type === 'text') return [{ text: part.text }]
    if (part.type === 'result') {
      const { response, attached } = writeResult(part, at, reportLost)
      attachments.push(...attached)
      return [response]
    }
    if (part.type !== 'call') return writeMedia(part, { write: mediaPart, at, reportLost })
    const { id, name, arguments: args } = part
    return [{ functionCall: { id, name, args } }]
  })
  const contents =
    role === 'assistant'
      ? [{ role: 'model', parts: withSignature(parts) }]
      : [
          { role: 'user', parts },
          { role: 'user', parts: attachments },
        ]
  return contents.filter((content) => content.parts.length > 0)
}

/** Of several calls, only the first needs a signature. */
function withSignature(parts: readonly Block[]): readonly Block[] {
  const at = parts.findIndex(({ functionCall }) => functionCall !== undefined)
  return at < 0 ? parts : parts.with(at, unsigned(parts[at]!))
}

/** A response can contain only some media. The others follow in a content of their own. */
function writeResult(
  { callId, name, parts, isError }: ConversationResult,
  at: number,
  reportLost: ReportLost,
): { response: Block; attached: Block[] } {
  const text = resultText(parts)
  const media = parts.filter(isMedia)
  const writer = { write: mediaPart, at, reportLost }
  const nested = media.filter(isGeminiNestable).flatMap((part) => writeMedia(part, writer))
  const others = media
    .filter((part) => !isGeminiNestable(part))
    .flatMap((part) => writeMedia(part, writer))
  const functionResponse = {
    id: callId,
    name,
    response: isError ? { error: text } : { output: text },
    ...(nested.length > 0 && { parts: nested }),
  }
  return {
    response: { functionResponse },
    attached: others.length > 0 ? [{ text: `Result of ${name}:` }, ...others] : [],
  }
}

function mediaPart(part: MediaPart): Block | string {
  const { url, mimeType } = part
  if (url === undefined) return inlinePart(part)
  if (!/^(?:https|gs):/.test(url)) return 'Gemini reads only https and gs addresses.'
  // The service needs an exact type.
  const exact = mimeType.endsWith('/*') ? typeOfName(url) : mimeType
  return { fileData: { fileUri: url, ...(exact !== undefined && { mimeType: exact }) } }
}
