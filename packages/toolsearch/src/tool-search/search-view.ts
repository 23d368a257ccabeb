import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { HitStatus } from './search-outcome.ts'

/**
 * All that a search can see: the tools one caller may use and how it stands with them. What is
 * not in the view cannot be found, counted or named by any path.
 */
export interface SearchView {
  readonly ranker: Ranker
  /** A visible tool by name. */
  get(name: string): Tool | undefined
  /** Left out if every tool is visible. */
  readonly isVisible?: (tool: Tool) => boolean
  /** Visible tools in catalogue order. */
  tools(): readonly Tool[]
  /** What a hit on this tool means to the model. */
  status(tool: Tool): HitStatus
  notReady(): readonly SourceState[]
  /** How many visible tools can be deferred. */
  deferrable(): number
  /** How many of those will not be loaded once these are. */
  remainingAfter(hits: readonly Tool[]): number
}
