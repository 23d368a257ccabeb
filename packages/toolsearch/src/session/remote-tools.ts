import type { WordFrequencies } from '../tool-search/catalogue-words.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { ToolSet } from './tool-set.ts'

/**
 * Fetches tools of a catalogue outside of this process. Sessions and searches are synchronous where
 * they read tools, so whatever they read has to be fetched before.
 */
export interface RemoteTools {
  /**
   * Fetches the current definitions of these tools, and drops all others. `called` are names that a
   * model or a caller has made up: if one does not exist, tools with similar names are fetched.
   */
  keep(names: readonly string[], called: readonly string[]): Promise<void>
  /** Fetches further tools. */
  fetch(names: readonly string[]): Promise<void>
  /** Runs the work, fetches what it asked for in vain, and repeats that until nothing is missing. */
  complete<Result>(work: () => Result): Promise<Result>
  /** Drops what was fetched for a search, except for these tools. */
  release(kept: readonly string[]): void
  readonly request: NonNullable<SearchView['request']>
  readonly words: WordFrequencies
  /** The tools for another conversation with the same access. */
  fork(): ToolSet
}
