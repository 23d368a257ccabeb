import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import {
  type Block,
  blocksOf,
  type Message,
  type MessagesBody,
  nativeSearchName,
  type PlacedBlock,
} from './messages-body.ts'

/**
 * A native search needs its call, its result and a declared search tool. The result may be missing at
 * the end of the messages, where the request continues a paused turn.
 */
export function checkServerTools({ messages = [], tools = [] }: MessagesBody): Problem | undefined {
  const declared = new Set(tools.map((tool) => nativeSearchName(tool.type)))
  for (const turn of assistantTurns(messages)) {
    for (const [at, { block, path }] of turn.blocks.entries()) {
      const later = turn.blocks.slice(at + 1).map((placed) => placed.block)
      const earlier = turn.blocks.slice(0, at).map((placed) => placed.block)
      const problem =
        checkSearch(block, turn.isLast ? undefined : later, declared, path) ??
        checkResult(block, earlier, path)
      if (problem) return problem
    }
  }
  return undefined
}

/** The service reads consecutive assistant messages as one turn. */
function assistantTurns(
  messages: readonly Message[],
): { blocks: PlacedBlock[]; isLast: boolean }[] {
  const turns: { blocks: PlacedBlock[]; isLast: boolean }[] = []
  messages.forEach(({ role, content }, index) => {
    const isContinued = role === 'assistant' && messages[index - 1]?.role === 'assistant'
    if (!isContinued) turns.push({ blocks: [], isLast: false })
    const turn = turns.at(-1)!
    turn.isLast = role === 'assistant' && index === messages.length - 1
    const placed = blocksOf(content).map((block, at) => ({
      block,
      role,
      path: `messages.${index}.content.${at}`,
    }))
    turn.blocks.push(...placed)
  })
  return turns
}

function checkSearch(
  { type, id, name }: Block,
  /** Undefined if the result may still be missing. */
  later: readonly Block[] | undefined,
  declared: ReadonlySet<string | undefined>,
  path: string,
): Problem | undefined {
  if (type !== 'server_tool_use' || nativeSearchName(name) === undefined) return undefined
  if (!declared.has(name)) {
    return anthropicProblem(
      400,
      `${path}: \`server_tool_use\` block with name \`${name}\` requires the tool to be provided in \`tools\``,
    )
  }
  if (later && !later.some((block) => block.tool_use_id === id)) {
    return anthropicProblem(
      400,
      `${path}: \`${name}\` tool use with id \`${id}\` was found without a corresponding \`tool_search_tool_result\` block`,
    )
  }
  return undefined
}

function checkResult(
  { type, tool_use_id: id }: Block,
  earlier: readonly Block[],
  path: string,
): Problem | undefined {
  if (type !== 'tool_search_tool_result') return undefined
  if (earlier.some((block) => block.type === 'server_tool_use' && block.id === id)) return undefined
  return anthropicProblem(
    400,
    `${path}: unexpected \`tool_use_id\` found in \`tool_search_tool_result\` blocks: ${id}. Each \`tool_search_tool_result\` block must have a corresponding \`server_tool_use\` block before it.`,
  )
}
