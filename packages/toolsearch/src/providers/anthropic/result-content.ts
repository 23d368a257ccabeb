import type { MediaPart } from '../../outputs/output-part.ts'
import type { Block } from '../../transcript/block.ts'
import type { ToolResult } from '../provider.ts'
import { type OnDropped, type PartWriter, writeParts } from '../write-parts.ts'
import { text } from './blocks.ts'
import { withoutBreakpoint } from './limit-breakpoints.ts'

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** The service measures the base64 text, not the bytes. */
const MAX_IMAGE_LENGTH = 5 * 1024 * 1024

const writer: PartWriter<Block> = {
  provider: 'anthropic',
  text: (value, native) => native ?? text(value),
  media: (part, native) => {
    const block = mediaBlock(part)
    return typeof block === 'string' ? block : (native ?? block)
  },
  native: (block) => block,
}

/** The blocks of a result, without blocks that the service rejects. Empty if there is nothing to say. */
export function resultContent(result: ToolResult, onDropped: OnDropped): Block[] {
  return writeParts(result, writer, onDropped)
    .filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
    .map(withoutBreakpoint)
}

/** The block for media, or the reason why Claude cannot read them. */
export function mediaBlock(part: MediaPart): Block | string {
  const { data, url, mimeType, filename } = part
  const isImage = part.type === 'image'
  const isPdf = mimeType === 'application/pdf'
  if (!isImage && !isPdf) return `Claude cannot read ${mimeType}.`
  const title = isPdf && filename !== undefined && { title: filename }
  const type = isPdf ? 'document' : 'image'
  if (url !== undefined) {
    if (!url.startsWith('https:')) return 'Claude reads only https addresses.'
    return { type, source: { type: 'url', url }, ...title }
  }
  if (isImage && !IMAGE_TYPES.includes(mimeType)) return `Claude cannot read ${mimeType}.`
  if (isImage && data!.length > MAX_IMAGE_LENGTH) return 'Claude reads images of at most 5 MB.'
  return { type, source: { type: 'base64', media_type: mimeType, data }, ...title }
}
