import type { OutputPart, ToolOutput } from '../../outputs/output-part.ts'

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
  const content = parts.map(toContentPart)
  if (!isError && content.some(({ type }) => type !== 'text')) {
    return { type: 'content', value: content }
  }
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { type: isError ? 'error-text' : 'text', value: texts.join('\n') }
}

function toContentPart(part: OutputPart): ContentPart {
  switch (part.type) {
    case 'text':
    case 'resource':
      return { type: 'text', text: part.text }
    case 'link':
      return { type: 'text', text: [part.name, part.uri].filter(Boolean).join(': ') }
    case 'native':
      return { type: 'text', text: JSON.stringify(part.block) }
    default: {
      const { type, data, url = '', mimeType } = part
      if (data !== undefined) return { type: 'media', data, mediaType: mimeType }
      return { type: type === 'image' ? 'image-url' : 'file-url', url }
    }
  }
}
