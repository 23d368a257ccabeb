import { estimateTokens, type Tool, toolTokens } from 'toolsearch'

const known = new WeakMap<Tool, number>()

/** What a tool costs in a request. Counted once for each definition: thousands take a while. */
export function toolCost(tool: Tool): number {
  let tokens = known.get(tool)
  if (tokens === undefined) {
    tokens = toolTokens(tool, estimateTokens)
    known.set(tool, tokens)
  }
  return tokens
}
