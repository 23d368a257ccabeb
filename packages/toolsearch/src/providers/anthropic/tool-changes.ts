import { isObject } from '../../is-object.ts'
import type { Block } from './blocks.ts'

/** A block that adds or removes a tool in the middle of a conversation. */
export function isToolChange(block: Block): boolean {
  return block.type === 'tool_addition' || block.type === 'tool_removal'
}

/** The tool it is about. */
export function changedName(block: Block): string {
  const tool = isObject(block.tool) ? block.tool : {}
  const named = isObject(tool.definition) ? tool.definition : tool
  return String(named.name ?? '')
}

export function isInline(block: Block): boolean {
  return isObject(block.tool) && block.tool.type === 'tool_definition'
}
