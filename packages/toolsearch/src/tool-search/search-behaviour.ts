import type { Execution, JsonSchema, ToolAnnotations } from '../catalogue/tool.ts'
import type { ReadQuery } from '../query/parse-query.ts'
import type { ConfidenceThresholds } from './confidence.ts'
import type { Finder } from './finders/finder.ts'
import type { ReadArguments } from './read-arguments.ts'
import type { ResultFormat } from './search-answer.ts'

/** The part of a preset that defines the search tool and how it searches. */
export interface SearchBehaviour {
  readonly searchTool: SearchTool
  /** Reads the arguments of a call to the search tool. */
  readonly readArguments: ReadArguments
  readonly readQuery: ReadQuery
  /** The ways to answer a query. The first one that answers it counts. */
  readonly finders: readonly Finder[]
  readonly selection: Selection
  /**
   * Whether searches also find skills. If not, there are none.
   * @default false
   */
  readonly skills?: boolean
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

/** How many tools a search returns, and which of the ranked ones. */
export interface Selection {
  readonly defaultLimit: number
  /** The largest limit that a model may ask for. */
  readonly maxLimit: number
  /** Drop hits that score below this share of the best score; 0 keeps all hits. */
  readonly band: number
  /** When a result counts as sure, and when it is so doubtful that nothing is loaded. */
  readonly confidence: ConfidenceThresholds
}
