import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { Ranker } from '../ranking/ranker.ts'
import type { WordFrequencies } from './catalogue-words.ts'
import type { HitStatus } from './search-outcome.ts'

/**
 * Everything a search can see: the tools one caller may use and their status. A search cannot
 * find, count or name anything that is not part of its view.
 */
export interface SearchView {
  /** Called only by a search that ranks. */
  ranker(): Pick<Ranker, 'rank'>
  /** A visible tool by name. */
  get(name: string): Tool | undefined
  /**
   * Visible tools with this name in any spelling, with or without their server, in catalogue order.
   * Omitted if only exact names count.
   */
  spelled?(name: string): readonly Tool[]
  /** Omitted if every tool is visible. */
  readonly isVisible?: (tool: Tool) => boolean
  /** Visible tools in catalogue order. */
  tools(): readonly Tool[]
  /**
   * How many tools whose names start with this prefix `tools()` lacks, because the catalogue is outside
   * of this process. Omitted if it has every visible tool.
   */
  beyond?(prefix: string): number
  /** How many tools contain a word. @default counted in `tools()` */
  readonly words?: WordFrequencies
  /** The status of a hit on this tool. */
  status(tool: Tool): HitStatus
  notReady(): readonly SourceState[]
  /** Number of deferrable tools. */
  deferrable(): number
  /** Number of eager tools. */
  eager(): number
  /** Number of deferrable tools that are still not loaded after these hits are loaded. */
  remainingAfter(hits: readonly Tool[]): number
}
