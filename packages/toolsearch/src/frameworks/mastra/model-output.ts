import type { OutputPart, ToolOutput } from '../../outputs/output-part.ts'
import { partsText, partText } from '../../outputs/parts-text.ts'
import { isMedia } from '../../transcript/media.ts'

/** A tool result in the format of the AI SDK, which Mastra uses. */
export type ModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'content'; readonly value: readonly ContentPart[] }

type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly data: string; readonly mediaType: string }
  | { readonly type: 'image-url' | 'file-url'; readonly url: string }

/** What the model reads: text, or text and media. Errors have no media. */
export function modelOutput({ parts, isError }: ToolOutput): ModelOutput {
  if (!isError && parts.some(isMedia)) return { type: 'content', value: parts.map(toContentPart) }
  return { type: isError ? 'error-text' : 'text', value: partsText(parts) }
}

function toContentPart(part: OutputPart): ContentPart {
  if (!isMedia(part)) return { type: 'text', text: partText(part) }
  const { type, data, url = '', mimeType } = part
  if (data !== undefined) return { type: 'media', data, mediaType: mimeType }
  return { type: type === 'image' ? 'image-url' : 'file-url', url }
}
