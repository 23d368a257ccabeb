import { describedTools } from '../described-tools.ts'
import { type AnthropicMode, anthropicModes, isAddition, NATIVE_SEARCH } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  type Block,
  blocksOf,
  changedName,
  foundNames,
  isInlineChange,
  referencedName,
  resultBlocks,
} from './blocks.ts'

/** The tools whose definitions the messages provide in a mode. */
export function revealed(messages: readonly AnthropicMessage[], mode: string): Set<string> {
  const names = new Set<string>()
  for (const message of messages) {
    const blocks = blocksOf(message)
    for (const block of blocks) {
      if (isAddition(mode) && block.type === 'tool_removal') names.delete(changedName(block))
      for (const name of revealedBy(block, blocks, mode)) names.add(name)
    }
  }
  return names
}

function revealedBy(block: Block, siblings: readonly Block[], mode: string): readonly string[] {
  if (block.type === 'tool_result') return revealedByResult(block, mode)
  if (block.type === 'tool_search_tool_result') {
    const belongsToMode = siblings.some(
      ({ id, name }) => id === block.tool_use_id && name === NATIVE_SEARCH[mode]?.name,
    )
    return belongsToMode ? foundNames(block) : []
  }
  if (block.type !== 'tool_addition') return []
  const modeOfChange = isInlineChange(block) ? 'inline-addition' : 'addition'
  return mode === modeOfChange ? [changedName(block)] : []
}

function revealedByResult(block: Block, modeName: string): readonly string[] {
  const { declaresDeferred, reveal } = anthropicModes[modeName as AnthropicMode]
  if (!declaresDeferred && reveal !== 'text') return []
  return resultBlocks(block).flatMap((inner) => {
    if (declaresDeferred) return referencedName(inner) ?? []
    return typeof inner.text === 'string' ? describedTools(inner.text) : []
  })
}
