import { nameOfType } from '../../outputs/file-types.ts'
import type { MediaPart } from '../../outputs/output-part.ts'
import type { Block } from '../../transcript/block.ts'
import type { ToolResult } from '../provider.ts'
import {
  mediaUrl,
  type OnDropped,
  type PartWriter,
  withErrorMark,
  writeParts,
} from '../write-parts.ts'

const IMAGE_TYPES = /^image\/(\*|png|jpeg|webp|gif)$/
const FILE_TYPES =
  /^(text\/.*|application\/(pdf|rtf|json|xml|msword|vnd\.(ms-|openxmlformats-|oasis\.opendocument).*))$/

const writer: PartWriter<Block> = {
  provider: 'openai',
  text: (text, native) => native ?? { type: 'input_text', text },
  media: (part, native) => {
    const item = mediaItem(part)
    return typeof item === 'string' ? item : (native ?? item)
  },
  native: (block) => block,
}

/** The `output` of a function call: a string, or a list if it contains more than one text. */
export function outputContent(result: ToolResult, onDropped: OnDropped): string | Block[] {
  const items = writeParts(withErrorMark(result), writer, onDropped)
  const [first] = items
  const isText = items.length === 1 && first!.type === 'input_text'
  return isText ? String(first!.text) : items.length === 0 ? '' : items
}

/** The item for media, or the reason why OpenAI cannot read them. */
export function mediaItem(part: MediaPart): Block | string {
  const { type, url, mimeType, filename = nameOfType(mimeType) } = part
  if (url !== undefined && !/^https?:/.test(url)) return 'OpenAI reads only http addresses.'
  if (type === 'image' && IMAGE_TYPES.test(mimeType)) {
    return { type: 'input_image', image_url: mediaUrl(part) }
  }
  if (type !== 'file' || !FILE_TYPES.test(mimeType)) {
    return `OpenAI cannot read ${mimeType}.`
  }
  if (url !== undefined) return { type: 'input_file', file_url: url }
  return { type: 'input_file', filename, file_data: mediaUrl(part) }
}
