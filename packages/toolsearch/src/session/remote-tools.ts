import type { SearchRanker } from '../learning/learned-ranker.ts'
import type { WordFrequencies } from '../tool-search/catalogue-words.ts'
import type { SearchRequest } from '../tool-search/finders/finder.ts'
import type { Search } from '../tool-search/run-search.ts'
import type { SearchBehaviour } from '../tool-search/search-behaviour.ts'
import type { SearchView } from '../tool-search/search-view.ts'
import type { ToolSet } from './tool-set.ts'

/** How to search, and what a search sees of the fetched tools. */
export interface RemoteSearch {
  readonly behaviour: Pick<SearchBehaviour, 'finders' | 'selection'>
  readonly view: () => SearchView
  /** Adds what the search recalls by name to a ranker. */
  readonly rankerOver: (ranker: SearchRanker, get: SearchView['get']) => SearchRanker
  /** Further tools that the search reads. */
  readonly names?: Iterable<string>
}

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
   * Fetches what a search looks up and ranks, and runs it. Drops what was fetched for an earlier one.
   */
  find(request: SearchRequest, search: RemoteSearch): Promise<Search>
  /** Drops what was fetched for a search, except for these tools. */
  release(kept: readonly string[]): void
  readonly beyond: NonNullable<SearchView['beyond']>
  readonly words: WordFrequencies
  /** The tools for another conversation with the same access. */
  fork(): ToolSet
}
