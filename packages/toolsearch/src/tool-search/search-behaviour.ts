import type { JsonSchema } from '../catalogue/tool.ts'
import type { QuerySyntax } from '../query/parse-query.ts'
import type { RequiredScope } from '../ranking/has-required-terms.ts'
import type { TieBreak } from '../ranking/ranker.ts'
import type { ResultFormat } from './search-answer.ts'

/** How the search tool looks to a model and how it behaves. A preset is mostly one of these. */
export interface SearchBehaviour {
  readonly searchTool: SearchTool
  readonly syntax: SearchSyntax
  readonly selection: Selection
  /** Turns an outcome into what the model reads. */
  readonly result: ResultFormat
  /**
   * A call of a tool that is not loaded: `answer` it with the schema and load the tool, or `allow`
   * it as it is.
   */
  readonly unloadedCalls: 'answer' | 'allow'
  /** At most so many searches of one session in so many milliseconds; left out, no limit. */
  readonly rateLimit?: { readonly calls: number; readonly windowMs: number }
}

/** What a request says of the search tool. */
export interface SearchTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

export interface SearchSyntax extends QuerySyntax {
  /** A query that is a tool's whole name finds that tool alone. */
  readonly exactName: boolean
  /** One word that begins names finds them all: never, when it has a `__` in it, or always. */
  readonly namePrefix: 'never' | 'qualified' | 'any'
  readonly requiredScope: RequiredScope
  /** What a query of no words means. */
  readonly blank: 'error' | 'empty' | 'browse'
  /** What a query that is missing or no string means. */
  readonly badQuery: 'error' | 'blank'
}

export interface Selection {
  readonly defaultLimit: number
  readonly minLimit: number
  readonly maxLimit: number
  /** The arguments that may carry the limit, the first found counts. */
  readonly limitArguments: readonly string[]
  /** What a limit that is no whole number from 0 up means. */
  readonly badLimit: 'default' | 'error'
  readonly ties: TieBreak
  /** Whether words are looked for in every visible tool or only in those that can be deferred. */
  readonly searched: 'visible' | 'deferrable'
  /** Whether tools that are never hidden take places that others could have. */
  readonly placesForAlwaysOn: boolean
  /** Hits below this share of the best score are dropped; 0 keeps all. */
  readonly band: number
  /** Whether nothing is returned when the ranker holds its best hit for a coincidence. */
  readonly abstains: boolean
  /** How many names one `select:` may ask for. */
  readonly selectCap: number
}
