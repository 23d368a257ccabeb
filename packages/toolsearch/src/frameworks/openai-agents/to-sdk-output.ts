import type { OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'

/** What `invoke` returns for a result: text, or a list of the SDK's content objects. */
export type SdkOutput = string | SdkContent[]

type SdkContent =
  | { type: 'text'; text: string }
  | { type: 'image'; image: string }
  | { type: 'file'; file: { data: string; mediaType: string; filename: string } | { url: string } }

/** Translates a result. What the SDK has no content object for becomes text. */
export function toSdkOutput(parts: readonly OutputPart[]): SdkOutput {
  const contents = parts.map(toContent)
  const texts = contents.flatMap((content) => (content.type === 'text' ? [content.text] : []))
  return texts.length === contents.length ? texts.join('\n\n') : contents
}

function toContent(part: OutputPart): SdkContent {
  switch (part.type) {
    case 'image':
      return { type: 'image', image: part.url ?? `data:${part.mimeType};base64,${part.data}` }
    case 'file': {
      const { url, data = '', mimeType: mediaType, filename = 'file' } = part
      return { type: 'file', file: url === undefined ? { data, mediaType, filename } : { url } }
    }
    default:
      return { type: 'text', text: partText(part) }
  }
}
