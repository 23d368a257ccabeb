import type { Execution, JsonSchema, ToolAnnotations } from '../catalogue/tool.ts'
import type { QuerySyntax } from '../query/parse-query.ts'
import type { RequiredScope } from '../ranking/has-required-terms.ts'
import type { TieBreak } from '../ranking/ranker.ts'
import type { ConfidenceThresholds } from './confidence.ts'
import type { ResultFormat } from './search-answer.ts'

/** The part of a preset that defines the search tool and how it searches. */
export interface SearchBehaviour {
  readonly searchTool: SearchTool
  readonly syntax: SearchSyntax
  readonly selection: Selection
  /** Formats a search outcome for the model. */
  readonly result: ResultFormat
  /**
   * What happens to a call to a tool that is not loaded: `answer` loads the tool and returns its
   * schema instead of executing the call; `allow` executes the call.
   */
  readonly unloadedCalls: 'answer' | 'allow'
  /** At most `calls` searches per session within `windowMs` milliseconds. Omit for no limit. */
  readonly rateLimit?: { readonly calls: number; readonly windowMs: number }
}

/**
 * The search tool's definition. Requests contain its name, description and schema; the other fields
 * are for programs that show or run tools.
 */
export interface SearchTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** A name for people. */
  readonly title?: string
  readonly annotations?: ToolAnnotations
  readonly metadata?: Readonly<Record<string, unknown>>
  /**
   * `sequential`: the calls of a reply are handled in order, so calls after a search already see the
   * tools that it loaded. `parallel`: all calls are checked before the searches of the reply run.
   * @default 'parallel'
   */
  readonly execution?: Execution
}

export interface SearchSyntax extends QuerySyntax {
  /** A query that equals a tool's name returns only that tool. */
  readonly exactName: boolean
  /**
   * Whether a query finds the tools whose names it contains, in any casing and with any separators.
   * Distinctive names such as `search_graph` come first, in the order of the query. A tool that is
   * named with ordinary words, such as "search graph" or "use search", keeps its rank but is always
   * among the hits. A query that consists of distinctive names returns only those tools.
   * @default false
   */
  readonly namesInQuery?: boolean
  /**
   * Whether a single-word query returns every tool whose name starts with it: never, only if the
   * query contains `__`, or always.
   */
  readonly namePrefix: 'never' | 'qualified' | 'any'
  readonly requiredScope: RequiredScope
  /**
   * How to handle a query without words: report an error, return no hits, or list the first tools.
   */
  readonly blank: 'error' | 'empty' | 'browse'
  /** Whether to reject a query that is missing or not a string, or treat it as blank. */
  readonly badQuery: 'error' | 'blank'
}

export interface Selection {
  readonly defaultLimit: number
  readonly minLimit: number
  readonly maxLimit: number
  /** Names of the arguments that can contain the limit. The first one present is used. */
  readonly limitArguments: readonly string[]
  /**
   * What to do if the limit is not a non-negative integer: use the default or report an error.
   * `default` also accepts an integer sent as a string, `error` does not.
   */
  readonly badLimit: 'default' | 'error'
  readonly ties: TieBreak
  /** Whether a keyword search covers every visible tool or only the deferrable ones. */
  readonly searched: 'visible' | 'deferrable'
  /**
   * Whether searches also find skills. If not, they are as good as absent.
   * @default false
   */
  readonly skills?: boolean
  /** Whether tools that are never hidden count towards the limit. */
  readonly placesForAlwaysOn: boolean
  /** Drop hits that score below this share of the best score; 0 keeps all hits. */
  readonly band: number
  /** When a result counts as sure, and when it is so doubtful that nothing is loaded. */
  readonly confidence: ConfidenceThresholds
  /** Maximum number of names in one `select:` query. `Infinity` for no limit. */
  readonly selectCap: number
}
