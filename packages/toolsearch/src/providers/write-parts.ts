import { isBase64 } from '../outputs/base64.ts'
import type { DroppedPart, MediaPart, OutputPart } from '../outputs/output-part.ts'
import { describeMedia, partText } from '../outputs/parts-text.ts'
import type { ToolResult } from './provider.ts'

/**
 * Writes the parts of a result in the shape of one API. `native` is the block of this API that a part
 * was read from.
 */
export interface PartWriter<Block extends object> {
  /** The name of the provider. */
  readonly provider: string
  text(text: string, native?: Block): Block
  /** The block for media with valid bytes or an address, or the reason why the API has none. */
  media(part: MediaPart, native?: Block): Block | string
  /** The block for one that only this provider can read, or the reason why a result has none. */
  native(block: Block): Block | string
}

/** Called for each part that a request cannot carry. */
export type OnDropped = (dropped: DroppedPart) => void

/** Writes the parts in order. A part that the API cannot carry becomes a text that names it. */
export function writeParts<Block extends object>(
  result: ToolResult,
  writer: PartWriter<Block>,
  onDropped: OnDropped,
): Block[] {
  return result.parts.map((part) => {
    const written = writePart(part, writer)
    if (typeof written !== 'string') return written
    const { call, tool = call.name } = result
    onDropped({
      type: part.type,
      reason: `${written} The model got a text that names it instead.`,
      tool,
      ...(call.id !== undefined && { callId: call.id }),
    })
    return writer.text(notIncluded(part, written))
  })
}

/** The text that the model reads instead of a part. */
function notIncluded(part: OutputPart, reason: string): string {
  const text = partText(part).replace(/^\[|\]$/g, '')
  return `[Not included: ${text}. ${reason}]`
}

/** The block for a part, or the reason why there is none. */
function writePart<Block extends object>(
  part: OutputPart,
  writer: PartWriter<Block>,
): Block | string {
  if (part.type === 'native') {
    if (part.provider === writer.provider) return writer.native(part.block as Block)
    return `Only ${part.provider} can read this block.`
  }
  if (part.type === 'link') return writer.text(partText(part))
  const { native: origin } = part
  const native = origin?.provider === writer.provider ? (origin.block as Block) : undefined
  if (part.type === 'text' || part.type === 'resource') return writer.text(partText(part), native)
  if (part.data !== undefined && !isBase64(part.data)) return 'Its data is not valid base64.'
  return writer.media(part, native)
}

/** The address of media as a `data:` URL or as it is. */
export function mediaUrl({ data, url, mimeType }: MediaPart): string {
  return url ?? `data:${mimeType};base64,${data}`
}

/**
 * The parts with a visible mark, for APIs without an error flag. Only results of tools are marked: the
 * answers of toolsearch say themselves what is wrong.
 */
export function withErrorMark(result: ToolResult): ToolResult {
  const { parts, isError, tool, text } = result
  if (!isError || tool === undefined || /error/i.test(text)) return result
  const [first, ...rest] = parts
  const marked: OutputPart[] =
    first?.type === 'text'
      ? [{ type: 'text', text: `Error: ${first.text}` }, ...rest]
      : [{ type: 'text', text: 'Error:' }, ...parts]
  return { ...result, parts: marked }
}

/** Introduces media that follow the results in a message of their own. */
export function attachmentText({ tool, call }: ToolResult, part: MediaPart): string {
  return `Result of ${tool ?? call.name}, ${describeMedia(part)}:`
}
