import { isGeminiNestable } from '../../outputs/gemini-media.ts'
import type { MediaPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import type { Block } from '../../transcript/block.ts'
import type { ToolResult } from '../provider.ts'
import { attachmentText, type OnDropped, writeParts } from '../write-parts.ts'
import { idFromModel } from './decode.ts'
import { type GeminiContent, text } from './read.ts'

const READABLE = /^(image\/(png|jpeg|webp|heic|heif)|audio\/.*|video\/.*|application\/pdf)$/

/**
 * Puts all results of a reply into one content, which must contain nothing else. Media that a response
 * cannot contain follow in a content of their own.
 */
export function render(
  results: readonly ToolResult[],
  canNestMedia: boolean,
  onDropped: OnDropped,
): GeminiContent[] {
  const written = results.map((result) => writeResponse(result, canNestMedia, onDropped))
  const attached = written.flatMap(({ attachments }) => attachments)
  const content = { role: 'user', parts: written.map(({ response }) => response) }
  return attached.length > 0 ? [content, { role: 'user', parts: attached }] : [content]
}

interface WrittenResponse {
  readonly response: Block
  readonly attachments: readonly Block[]
}

function writeResponse(
  result: ToolResult,
  canNestMedia: boolean,
  onDropped: OnDropped,
): WrittenResponse {
  const { call, isError } = result
  if (result.native) return { response: result.native, attachments: [] }
  const id = idFromModel(call.id)
  const nested: Block[] = []
  const attachments: Block[] = []
  const texts = writeParts(
    result,
    { provider: 'gemini', text, media, native: () => 'A response cannot contain it.' },
    onDropped,
  )
  // The text stays a string, even if it is JSON: it is parsed when the history is read.
  const output = texts.map((part) => part.text).join('\n')
  const response = {
    ...(id !== undefined && { id }),
    name: call.name,
    response: isError ? { error: output } : { output },
    ...(nested.length > 0 && { parts: nested }),
  }
  return { response: { functionResponse: response }, attachments }

  /** Collects the media and returns the text that names them in the response. */
  function media(part: MediaPart, native?: Block): Block | string {
    if (part.data === undefined && !native) return 'Gemini reads only its own files by address.'
    const inline = part.data === undefined ? native! : inlinePart(part)
    if (typeof inline === 'string') return inline
    const block = native ?? inline
    if (canNestMedia && isGeminiNestable(part)) nested.push(block)
    else attachments.push(text(attachmentText(result, part)), block)
    return text(partText(part))
  }
}

/** The part for media with their data, or the reason why Gemini cannot read them. */
export function inlinePart({ data, mimeType }: MediaPart): Block | string {
  return READABLE.test(mimeType)
    ? { inlineData: { mimeType, data } }
    : `Gemini cannot read ${mimeType}.`
}
