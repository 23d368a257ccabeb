import { blocksOf } from './blocks-of.ts'
import type { WireBlock } from './messages-body.ts'

/** The `tool_reference` blocks in a result, of the service's search or of a client's. */
export function referencesIn({ type, content }: WireBlock): readonly WireBlock[] {
  if (type === 'tool_result') {
    return blocksOf(content).filter((inner) => inner.type === 'tool_reference')
  }
  if (type !== 'tool_search_tool_result' || typeof content !== 'object') return []
  return 'tool_references' in content ? (content.tool_references ?? []) : []
}
