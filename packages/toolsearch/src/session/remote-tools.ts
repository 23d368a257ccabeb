import type { Query } from '../query/query.ts'
import type { WordFrequencies } from '../tool-search/catalogue-words.ts'
import type { Mentions } from '../tool-search/mentions.ts'
import type { Search } from '../tool-search/run-search.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { ToolSet } from './tool-set.ts'

/**
 * Fetches tools of a catalogue outside of this process. Sessions and searches are synchronous where
 * they read tools, so whatever they read has to be fetched before.
 */
export interface RemoteTools {
  /**
   * Fetches the current definitions of these tools, and drops all others that stayed. `called` are names
   * that a model or a caller has made up: if one does not exist, tools with similar names are fetched.
   */
  keep(names: readonly string[], called: readonly string[]): Promise<void>
  /** Fetches further tools. They stay until the next `keep`. */
  fetch(names: Iterable<string>): Promise<void>
  /**
   * Fetches what a search looks up and ranks. Drops what was fetched for an earlier one. `ranks` says
   * whether there is something to rank, once the tools that the query mentions have been fetched.
   */
  prepare(query: Query, mentions: Mentions, ranks: () => boolean): Promise<void>
  /** Fetches what the advice in the outcome of a search is made of. */
  prepareAdvice(search: Pick<Search, 'unknownNames' | 'next'>): Promise<void>
  /** Drops what was fetched for a search, except for these tools. */
  release(kept: readonly string[]): void
  readonly unlisted: NonNullable<SearchView['unlisted']>
  readonly words: WordFrequencies
  /** The tools for another conversation with the same access. */
  fork(): ToolSet
}
