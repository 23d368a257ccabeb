import type { Tool } from '../catalogue/tool.ts'
import type { Ranker } from '../ranking/ranker.ts'
import { coreOf } from '../ranking/rule-ranker.ts'

/**
 * The index of the tools that this process has used lately, shared by all searches. Reading the text
 * of a tool takes much longer than ranking it, and searches find the same tools again and again.
 */
export interface ToolIndex {
  /** Without rules, which come last. */
  readonly ranker: Ranker
  readonly hasRules: boolean
  /** Makes sure that the ranker has these tools. */
  include(tools: readonly Tool[]): void
  /** The number of tools in the index. */
  size(): number
}

/** @param capacity how many tools the index keeps, unless one search needs more */
export function createToolIndex(whole: Ranker, capacity: number): ToolIndex {
  const core = coreOf(whole)
  const ranker = core ?? whole
  /** The most recently used last. */
  const indexed = new Map<string, Tool>()

  return {
    ranker,
    hasRules: core !== undefined,
    size: () => indexed.size,
    include(tools) {
      for (const tool of tools) {
        if (indexed.get(tool.name) !== tool) ranker.set(tool)
        indexed.delete(tool.name)
        indexed.set(tool.name, tool)
      }
      const most = Math.max(capacity, tools.length)
      for (const name of indexed.keys()) {
        if (indexed.size <= most) break
        indexed.delete(name)
        ranker.delete(name)
      }
    },
  }
}
