import { type Block, textIn } from './block.ts'
import type { DataPart, OtherPart, TextPart } from './entry.ts'

/**
 * A block that is neither a call nor anything else that concerns tools. `stored` has the types of blocks
 * whose media can be stored at the provider.
 */
export function readContent(
  native: Block,
  stored: Readonly<Record<string, OtherPart['stored']>> = {},
): TextPart | OtherPart {
  const text = textIn(native)
  if (text !== undefined) return { type: 'text', text, native }
  const kind = String(native.type)
  const media = stored[kind]
  return { type: 'other', kind, ...(media && { stored: media }), native }
}

/** What a tool returned, in APIs that take any value. */
export function readOutput(value: unknown, native: Block): TextPart | DataPart {
  return typeof value === 'string'
    ? { type: 'text', text: value, native }
    : { type: 'data', value, native }
}
