import { toldSchemas } from '../told-schemas.ts'
import { type AnthropicMode, anthropicModes, isAddition } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  blocksOf,
  foundNames,
  referredName,
  resultBlocks,
} from './blocks.ts'
import { changedName } from './tool-changes.ts'

/** The names that messages make known in a mode. */
export function revealed(messages: readonly AnthropicMessage[], modeName: string): Set<string> {
  const mode = anthropicModes[modeName as AnthropicMode]
  const names = new Set<string>()
  for (const message of messages) {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_result') {
        for (const inner of resultBlocks(block)) {
          const name = referredName(inner)
          if (mode.declares && name !== undefined) names.add(name)
          if (mode.reveal === 'text' && typeof inner.text === 'string') {
            for (const told of toldSchemas(inner.text)) names.add(told)
          }
        }
      } else if (mode.search === 'theirs' && block.type === 'tool_search_tool_result') {
        for (const name of foundNames(block)) names.add(name)
      } else if (isAddition(modeName) && block.type === 'tool_addition') {
        names.add(changedName(block))
      } else if (isAddition(modeName) && block.type === 'tool_removal') {
        names.delete(changedName(block))
      }
    }
  }
  return names
}
