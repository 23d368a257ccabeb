import type { Tool } from '../../catalogue/tool.ts'
import type { Query } from '../../query/query.ts'
import type { ToolExplanation } from '../explain-tool.ts'
import type { NamedTools } from '../named-tools.ts'
import type { Selection } from '../search-behaviour.ts'
import type { SearchHit, SearchOutcome } from '../search-outcome.ts'
import type { SearchView } from '../search-view.ts'

/**
 * One way to answer a query. Returns undefined if the query has another form: the first finder of a
 * preset that returns something decides. Has no side effects, and never throws.
 */
export type Finder = (request: FinderRequest, view: SearchView) => Found | undefined

export interface FinderRequest extends SearchRequest {
  readonly selection: Selection
  /** The tools whose names the query contains. Read on first use. */
  readonly named: () => NamedTools
}

export interface SearchRequest extends SearchReasons {
  readonly query: Query
  /** The query as the model wrote it. */
  readonly text: string
  readonly limit: number
  /**
   * Whether the candidates of a doubtful search become hits.
   * @default false
   */
  readonly loadsCandidates?: boolean
  /**
   * Whether the query is the beginning of a document, which mentions names that nobody asks for.
   * @default false
   */
  readonly isExcerpt?: boolean
  /**
   * Whether to rank every tool, because any of them may be explained.
   * @default false
   */
  readonly ranksAll?: boolean
}

/** What a search explains in addition to returning hits. */
export interface SearchReasons {
  /**
   * Whether each hit lists the parts of its score.
   * @default false
   */
  readonly explain?: boolean
  /** Also explain this many near misses: the highest-ranked tools that are not returned. */
  readonly nearMisses?: number
}

/** What a finder has found. */
export interface Found
  extends Pick<SearchOutcome, 'form' | 'hits'>,
    Partial<Pick<SearchOutcome, 'confidence' | 'candidates' | 'omitted' | 'problem' | 'rules'>> {
  /** Names that do not exist. */
  readonly missing?: readonly string[]
  /** Of a doubtful search, the tools that rank after the candidates, best first. */
  readonly next?: readonly Tool[]
  /** The best `count` tools that are not shown. */
  readonly others?: (shown: ReadonlySet<Tool>, count: number) => readonly Tool[]
  /**
   * Why a tool was returned or not. `hits` also has what the hits brought along.
   * @default by the form of the query alone
   */
  readonly explain?: (tool: Tool, hits: readonly SearchHit[]) => ToolExplanation
}
