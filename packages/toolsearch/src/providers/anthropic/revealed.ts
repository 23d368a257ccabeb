import type { Block } from '../../transcript/block.ts'
import { describedTools } from '../../transcript/described-tools.ts'
import { declaresDeferred } from '../modes.ts'
import type { Mode } from '../provider.ts'
import { NATIVE_SEARCH } from './anthropic-modes.ts'
import {
  type AnthropicMessage,
  blocksOf,
  changedName,
  foundNames,
  isCompaction,
  isInlineChange,
  referencedName,
  resultBlocks,
  toolChangesOf,
  turnBlocks,
} from './blocks.ts'

/** The tools whose definitions the messages provide in a mode, including those removed since. */
export function revealed(messages: readonly AnthropicMessage[], mode: Mode): Set<string> {
  const names = new Set<string>()
  messages.forEach((message, at) => {
    for (const block of blocksOf(message)) {
      // The model reads nothing of what a summary replaces.
      if (isCompaction(block)) names.clear()
      const turn = () => turnBlocks(messages, at)
      for (const name of revealedBy(block, turn, mode)) names.add(name)
    }
  })
  return names
}

function revealedBy(block: Block, turn: () => readonly Block[], mode: Mode): readonly string[] {
  if (block.type === 'tool_result') return revealedByResult(block, mode)
  if (block.type === 'tool_search_tool_result') {
    const belongsToMode = turn().some(
      ({ id, name }) =>
        id === block.tool_use_id && mode.search === 'provider' && name === NATIVE_SEARCH.name,
    )
    return belongsToMode ? foundNames(block) : []
  }
  if (isCompaction(block)) return revealedBySummary(block, mode)
  if (block.type !== 'tool_addition') return []
  return mode.reveal === 'definition' && isInlineChange(block) ? [changedName(block)] : []
}

/** A summary keeps the tools that the summarized messages added, whatever revealed them. */
function revealedBySummary(block: Block, mode: Mode): readonly string[] {
  return toolChangesOf(block)
    .filter((change) => change.type === 'tool_addition')
    .filter((change) => isInlineChange(change) || declaresDeferred(mode))
    .map(changedName)
}

function revealedByResult(block: Block, mode: Mode): readonly string[] {
  if (mode.reveal === 'definition') return []
  return resultBlocks(block).flatMap((inner) => {
    if (mode.reveal === 'reference') return referencedName(inner) ?? []
    return typeof inner.text === 'string' ? describedTools(inner.text) : []
  })
}
