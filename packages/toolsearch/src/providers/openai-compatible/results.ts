import { nameOfType } from '../../outputs/file-types.ts'
import type { MediaPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { Mode, ToolResult } from '../provider.ts'
import {
  attachmentText,
  mediaUrl,
  type OnDropped,
  withErrorMark,
  writeParts,
} from '../write-parts.ts'
import type { LooseMessage } from './chat-message.ts'

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

export interface RenderOptions {
  readonly mode: Mode
  readonly media: readonly ChatMedia[]
  readonly onDropped: OnDropped
}

/**
 * Creates one message per call. A tool message can only contain text, so media follow in one message
 * of the user, after the results of all calls.
 *
 * In mode `reference`, a result that reveals tools has references and nothing else, because chat
 * templates leave out the rest. What is left to say follows in the message of the user.
 */
export function render(
  results: readonly ToolResult[],
  { mode, media: accepted, onDropped }: RenderOptions,
): LooseMessage[] {
  const attachments: Block[] = []
  const messages = results.map((result) => {
    if (result.native) return result.native as LooseMessage
    const content = hasReferences(result) ? referencesOf(result) : textOf(result)
    return { role: 'tool', tool_call_id: result.call.id, content }
  })
  if (attachments.length === 0) return messages
  const [only, ...others] = attachments
  const content = only!.type === 'text' && others.length === 0 ? only!.text : attachments
  return [...messages, { role: 'user', content }]

  function hasReferences({ reveals }: ToolResult): boolean {
    return mode.reveal === 'reference' && reveals.length > 0
  }

  function referencesOf({ reveals, text, isTextRedundant }: ToolResult): Block[] {
    if (!isTextRedundant && text !== '') attachments.push(textBlock(text))
    return reveals.map(reference)
  }

  function textOf(result: ToolResult): string {
    const media = (part: MediaPart, native?: Block) => {
      const block = mediaBlock(part, accepted)
      if (typeof block === 'string') return block
      attachments.push(textBlock(attachmentText(result, part)), native ?? block)
      return textBlock(partText(part))
    }
    const native = () => 'A tool message cannot contain it.'
    const writer = { provider: 'openai-compatible', text: textBlock, media, native }
    const texts = writeParts(withErrorMark(result), writer, onDropped)
    return texts.map((block) => block.text).join('\n')
  }
}

function textBlock(text: string): Block {
  return { type: 'text', text }
}

/** The block for media, or the reason why the endpoint cannot read them. */
export function mediaBlock(part: MediaPart, accepted: readonly ChatMedia[]): Block | string {
  const { type, data, url, mimeType, filename = nameOfType(mimeType) } = part
  if (!accepted.includes(type)) return `This endpoint reads no ${type} content.`
  if (url !== undefined && !/^https?:/.test(url)) return 'Only http addresses can be read.'
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

/** A part of a result that the endpoint replaces with the definition of a tool. */
export function reference({ name }: Pick<ToolText, 'name'>): { type: string; name: string } {
  return { type: 'tool_reference', name }
}
