import { isObject } from '../is-object.ts'

/** An object in a message. Loosely typed, because histories can contain anything. */
export type Block = { readonly [field: string]: unknown }

/** The blocks in a list. A string counts as one text. */
export function blocksIn(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** An id, if the message has one. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The text of a block. Undefined for media and for blocks that only a provider knows. */
export function textIn({ text, refusal }: Block): string | undefined {
  const found = text ?? refusal
  return typeof found === 'string' ? found : undefined
}
