import {
  type Block,
  type MessagesBody,
  placedBlocks,
  referencesIn,
  type Tool,
} from './messages-body.ts'

/** The tools at one point of a conversation. */
export interface AvailableTools {
  /** Tools declared in `tools` or defined in a message, by name. */
  known: Map<string, Tool>
  /** Names of the tools whose definitions the model can see. */
  shown: Set<string>
  /** Names of the tools that a message removed. */
  removed: Set<string>
}

/** The tools before the first message. */
export function availableAtStart({ tools = [] }: MessagesBody): AvailableTools {
  const named = tools.filter((tool) => tool.name !== undefined)
  return {
    known: new Map(named.map((tool) => [tool.name!, tool])),
    shown: new Set(named.filter((tool) => !tool.defer_loading).map((tool) => tool.name!)),
    removed: new Set(),
  }
}

/** The tools after the last message. */
export function availableAtEnd(body: MessagesBody): AvailableTools {
  const available = availableAtStart(body)
  for (const { block } of placedBlocks(body)) applyBlock(available, block)
  return available
}

/** Applies what a block adds, reveals or removes. */
export function applyBlock(available: AvailableTools, block: Block): void {
  const { known, shown, removed } = available
  if (block.type === 'compaction') {
    for (const change of block.tool_changes ?? []) applyBlock(available, change)
  }
  for (const { tool_name } of referencesIn(block)) if (tool_name) shown.add(tool_name)
  const { type, tool } = block
  const name = tool?.definition?.name ?? tool?.name
  if (name === undefined) return
  if (type === 'tool_removal') {
    shown.delete(name)
    removed.add(name)
  }
  if (type !== 'tool_addition') return
  if (tool?.definition) known.set(name, tool.definition)
  shown.add(name)
  removed.delete(name)
}
