import { toldTools } from '../told-tools.ts'
import { type AnthropicMode, anthropicModes, isAddition, OWN_SEARCH } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  blocksOf,
  foundNames,
  referredName,
  resultBlocks,
} from './blocks.ts'
import { changedName, isInline } from './tool-changes.ts'

/** The names that messages make known in a mode. */
export function revealed(messages: readonly AnthropicMessage[], modeName: string): Set<string> {
  const mode = anthropicModes[modeName as AnthropicMode]
  const names = new Set<string>()
  for (const message of messages) {
    const blocks = blocksOf(message)
    const ownSearches = blocks
      .filter((block) => block.name === OWN_SEARCH[modeName]?.name)
      .map((block) => block.id)
    for (const block of blocks) {
      if (block.type === 'tool_result') {
        for (const inner of resultBlocks(block)) {
          const name = referredName(inner)
          if (mode.declares && name !== undefined) names.add(name)
          if (mode.reveal === 'text' && typeof inner.text === 'string') {
            for (const told of toldTools(inner.text)) names.add(told)
          }
        }
      } else if (
        block.type === 'tool_search_tool_result' &&
        ownSearches.includes(block.tool_use_id)
      ) {
        for (const name of foundNames(block)) names.add(name)
      } else if (block.type === 'tool_addition') {
        const isUnderstood = isInline(block)
          ? modeName === 'inline-addition'
          : modeName === 'addition'
        if (isUnderstood) names.add(changedName(block))
      } else if (isAddition(modeName) && block.type === 'tool_removal') {
        names.delete(changedName(block))
      }
    }
  }
  return names
}
