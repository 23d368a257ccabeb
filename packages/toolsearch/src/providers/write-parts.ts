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

/** What the model reads if a tool fails without a text. Claude rejects an error without content. */
export const NO_ERROR_MESSAGE = 'The tool reported an error without a message.'

/** Writes the parts in order. A part that the API cannot carry becomes a text that names it. */
export function writeParts<Block extends object>(
  result: ToolResult,
  writer: PartWriter<Block>,
  onDropped: OnDropped,
): Block[] {
  return explained(result).parts.map((part) => {
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

/** The result, with a text if it is an error that says nothing. */
function explained(result: ToolResult): ToolResult {
  const isBlank = (part: OutputPart) => part.type === 'text' && part.text.trim() === ''
  if (!result.isError || !result.parts.every(isBlank)) return result
  const text = NO_ERROR_MESSAGE
  return { ...result, text, parts: [{ type: 'text', text }] }
}

/** Services reject half of a surrogate pair, which tools produce when they cut a text. */
function wellFormedText(part: OutputPart): string {
  return partText(part).toWellFormed()
}

/** The text that the model reads instead of a part. */
function notIncluded(part: OutputPart, reason: string): string {
  const text = wellFormedText(part).replace(/^\[|\]$/g, '')
  return `[Not included: ${text}. ${reason}]`
}

/** The block for a part, or the reason why the API cannot carry it. */
function writePart<Block extends object>(
  part: OutputPart,
  writer: PartWriter<Block>,
): Block | string {
  if (part.type === 'native') {
    if (part.provider === writer.provider) return writer.native(part.block as Block)
    return `Only ${part.provider} can read this block.`
  }
  if (part.type === 'link') return writer.text(wellFormedText(part))
  const { native: origin } = part
  const native = origin?.provider === writer.provider ? (origin.block as Block) : undefined
  if (part.type === 'text' || part.type === 'resource') {
    const text = wellFormedText(part)
    return text === partText(part) ? writer.text(text, native) : writer.text(text)
  }
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
export function withErrorMark(unmarked: ToolResult): ToolResult {
  const result = explained(unmarked)
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
