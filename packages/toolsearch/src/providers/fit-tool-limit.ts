import type { ToolText } from '../tokens/tool-tokens.ts'
import { TooManyToolsError } from './adapter-errors.ts'

/**
 * Shortens a tool list to what a provider accepts. Removes tools named in `evictable`, starting
 * with the first: the model can search for them again.
 *
 * @throws TooManyToolsError if removing all of `evictable` is not enough
 */
export function fitToolLimit(
  tools: readonly ToolText[],
  evictable: readonly string[],
  limit: number,
): readonly ToolText[] {
  const excess = tools.length - limit
  if (excess <= 0) return tools
  const listed = new Set(tools.map((tool) => tool.name))
  const evicted = new Set(evictable.filter((name) => listed.has(name)).slice(0, excess))
  if (evicted.size < excess) throw new TooManyToolsError(tools.length, limit)
  return tools.filter((tool) => !evicted.has(tool.name))
}
