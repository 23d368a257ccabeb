import type { MediaPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import { describedTools } from '../described-tools.ts'
import type { ToolResult } from '../provider.ts'
import {
  attachmentText,
  mediaUrl,
  type OnDropped,
  withErrorMark,
  writeParts,
} from '../write-parts.ts'
import { type ChatMessage, type LooseMessage, textsOf } from './chat-message.ts'

type Block = { readonly [field: string]: unknown }

const IMAGE_TYPES = /^image\/(\*|png|jpeg|webp|gif)$/
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
}

/** The media that an endpoint can read. */
export type ChatMedia = 'image' | 'audio' | 'file'

/**
 * Creates one message per call. A tool message can only contain text, so media follow in one message
 * of the user, after the results of all calls.
 */
export function render(
  results: readonly ToolResult[],
  accepted: readonly ChatMedia[],
  onDropped: OnDropped,
): LooseMessage[] {
  const attachments: Block[] = []
  const messages = results.map((result) => {
    const media = (part: MediaPart, native?: Block) => {
      const block = mediaBlock(part, accepted)
      if (typeof block === 'string') return block
      attachments.push(textBlock(attachmentText(result, part)), native ?? block)
      return textBlock(partText(part))
    }
    const native = () => 'A tool message cannot contain it.'
    const writer = { provider: 'openai-compatible', text: textBlock, media, native }
    const texts = writeParts(withErrorMark(result), writer, onDropped)
    const content = texts.map((block) => block.text).join('\n')
    return { role: 'tool', tool_call_id: result.call.id, content }
  })
  return attachments.length > 0 ? [...messages, { role: 'user', content: attachments }] : messages
}

function textBlock(text: string): Block {
  return { type: 'text', text }
}

function mediaBlock(part: MediaPart, accepted: readonly ChatMedia[]): Block | string {
  const { type, data, mimeType, filename = 'file.pdf' } = part
  if (!accepted.includes(type)) return `This endpoint reads no ${type} content.`
  if (type === 'image' && IMAGE_TYPES.test(mimeType)) {
    return { type: 'image_url', image_url: { url: mediaUrl(part) } }
  }
  const format = AUDIO_FORMATS[mimeType]
  if (data !== undefined && format) return { type: 'input_audio', input_audio: { data, format } }
  if (data !== undefined && mimeType === 'application/pdf') {
    return { type: 'file', file: { filename, file_data: mediaUrl(part) } }
  }
  return `Chat Completions cannot carry ${mimeType}${data === undefined ? ' by address' : ''}.`
}

/** The tools whose schemas the results contain. */
export function revealed(messages: readonly ChatMessage[]): Set<string> {
  return new Set(
    messages
      .filter((message) => message.role === 'tool')
      .flatMap(textsOf)
      .flatMap(describedTools),
  )
}
