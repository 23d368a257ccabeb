import { isBase64 } from '../outputs/base64.ts'
import type { MediaPart, OutputPart } from '../outputs/output-part.ts'
import { partText } from '../outputs/parts-text.ts'
import { readKnownBlock } from '../outputs/read-block.ts'
import type { Block } from './block.ts'
import type { ContentPart, ReportLost } from './conversation.ts'

export function isMedia(part: { readonly type: string }): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file'
}

/** The text of a result, without its media. */
export function resultText(parts: readonly OutputPart[]): string {
  return parts
    .filter((part) => !isMedia(part))
    .map(partText)
    .join('\n\n')
}

/** The text or the media of a block. Undefined if only the block's own provider can read it. */
export function contentOf(block: Block): ContentPart | undefined {
  const part = readKnownBlock(block)
  if (part === undefined || part.type === 'native') return undefined
  return isMedia(part) ? part : { type: 'text', text: partText(part) }
}

interface MediaWriter<Written extends object> {
  /** The block for media, or the reason why the provider has none. */
  readonly write: (part: MediaPart) => Written | string
  readonly at: number
  readonly reportLost: ReportLost
}

/** The block for media. Empty if the provider does not accept them, which is reported. */
export function writeMedia<Written extends object>(
  part: MediaPart,
  { write, at, reportLost }: MediaWriter<Written>,
): Written[] {
  const isValid = part.data === undefined || isBase64(part.data)
  const block = isValid ? write(part) : 'Its data is not valid base64.'
  if (typeof block !== 'string') return [block]
  reportLost(part.type, at, block)
  return []
}
