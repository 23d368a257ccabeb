import { isObject } from '../../is-object.ts'
import type { HistoryReader } from '../../tool-search/history-reader.ts'
import type { Block } from '../../transcript/block.ts'
import { changedName, isToolChange, referencedName } from './blocks.ts'

/** Reads messages of the Messages API. */
export const anthropicHistoryReader: HistoryReader = {
  revealed(block) {
    if (block.type === 'tool_removal') return []
    const name = isToolChange(block) ? changedTool(block) : referencedName(block)
    if (name) return [name]
    const isDefinition = block.type === 'tool_definition' && isObject(block.definition)
    return isDefinition ? [changedName({ tool: block })] : []
  },
  removed(block) {
    if (block.type !== 'tool_removal') return undefined
    const name = changedTool(block)
    return name ? [name] : []
  },
  call: ({ type, id, name, input }) =>
    type === 'tool_use' ? { ids: [id], name, arguments: input } : undefined,
  result: ({ tool_use_id: callId, content }) =>
    callId === undefined ? undefined : { callId, content },
  opaqueKeys: ['input', 'input_schema'],
}

function changedTool(block: Block): string {
  return referencedName(block.tool) ?? changedName(block)
}
