import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { type Block, blocksOf, type MessagesBody, nativeSearchName } from './messages-body.ts'

/** A native search needs its call, its result and a declared search tool. */
export function checkServerTools({ messages = [], tools = [] }: MessagesBody): Problem | undefined {
  const declared = new Set(tools.map((tool) => nativeSearchName(tool.type)))
  for (const [index, { content }] of messages.entries()) {
    const blocks = blocksOf(content)
    for (const [at, block] of blocks.entries()) {
      const problem =
        checkSearch(block, blocks.slice(at + 1), declared, `messages.${index}`) ??
        checkResult(block, blocks.slice(0, at), `messages.${index}.content.${at}`)
      if (problem) return problem
    }
  }
  return undefined
}

function checkSearch(
  { type, id, name }: Block,
  later: readonly Block[],
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
  if (!later.some((block) => block.tool_use_id === id)) {
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
