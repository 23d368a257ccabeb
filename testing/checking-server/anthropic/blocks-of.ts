import type { WireBlock } from './messages-body.ts'

/** The blocks of a content, whose short form is a string. */
export function blocksOf(content: unknown): readonly WireBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as WireBlock[]) : []
}
