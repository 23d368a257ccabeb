import type { ScorePart, SearchOutcome, ToolExplanation } from 'toolsearch'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { PastDefinition } from '../offering/approvals/definition-history.ts'
import type { Effect } from '../offering/effect.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import type { RefusedTool, UpstreamState } from '../upstreams/upstream.ts'
import type { ActivityEvent } from './activity/activity-event.ts'
import type { SessionReport } from './activity/session-report.ts'
import type { CostReport } from './cost-report.ts'
import type { Finding } from './lint-catalogue.ts'

export type { ScorePart, ToolExplanation } from 'toolsearch'
export type { PastDefinition } from '../offering/approvals/definition-history.ts'
export type { McpTool } from '../protocol/mcp-tool.ts'
export type { UpstreamState } from '../upstreams/upstream.ts'
export type { ActivityEvent, CallEvent, SearchEvent } from './activity/activity-event.ts'
export type { MissedSearch, MissReport } from './activity/miss-report.ts'
export type {
  ActivityReport,
  CacheBreak,
  LoadedTool,
  SessionReport,
  TokenLedger,
} from './activity/session-report.ts'
export type { CostReport } from './cost-report.ts'
export type { Finding } from './lint-catalogue.ts'

/**
 * What the inspector asks the gateway, and what it is told: one source for both. Everything is JSON
 * over HTTP under `/api`, beside the page at `/`, and asks for the same token as the gateway does,
 * in the header `authorization: Bearer …`; what changes something is refused to other sites' pages.
 *
 * | request                          | answer                                              |
 * | -------------------------------- | --------------------------------------------------- |
 * | `GET /api/overview`              | `Overview`                                          |
 * | `GET /api/tools`                 | `ToolList`                                          |
 * | `GET /api/tools/NAME`            | `ToolReport`                                        |
 * | `POST /api/tools/NAME/accept`    | `ToolReport`: approves the definition as it is now; `mark` of the one that was read   |
 * | `GET /api/search`                | `SearchReport`; `query`, `limit`, `ranker`          |
 * | `GET /api/explain`               | `ToolExplanation`; `query`, `tool`, `limit`, `ranker`   |
 * | `GET /api/saved`                 | `SavedReport`; `ranker`                             |
 * | `POST /api/saved`                | `SavedReport`; takes a `SavedQuery`; `ranker`       |
 * | `DELETE /api/saved`              | `SavedReport`; `query`, `ranker`                    |
 * | `GET /api/activity`              | `ActivityReport`                                    |
 * | `GET /api/misses`                | `MissReport`                                        |
 * | `GET /api/events`                | server-sent events: the data of each is a `LiveEvent`   |
 *
 * Anything else answers with an `ApiError` and a status of 400, 401, 403, 404, 405, 409, 413 or 500.
 */
export interface ApiError {
  /** For a person: what is wrong, and what to do. */
  readonly error: string
}

/** Everything connected, and what it costs. */
export interface Overview {
  readonly version: string
  /** Where clients reach the gateway; none when it serves stdio. */
  readonly url?: string
  /** What to put into a client's configuration, as JSON. */
  readonly snippet: string
  readonly configFile: string
  readonly mode: GatewayConfig['mode']
  /** In the order of the configuration. */
  readonly servers: readonly ServerReport[]
  readonly cost: CostReport
  readonly findings: readonly Finding[]
  readonly rankers: readonly RankerInfo[]
}

export interface ServerReport {
  readonly name: string
  readonly state: UpstreamState
  /** Why, in a sentence for a person. */
  readonly detail?: string
  /** The last lines it wrote to stderr. */
  readonly lastWords: readonly string[]
  readonly era?: Era
  readonly tools: number
  readonly tokens: number
  readonly refused: readonly RefusedTool[]
}

/** A way to rank that the search lab can compare with others. */
export interface RankerInfo {
  readonly id: string
  readonly title: string
  /** Whether agents are served by it. */
  readonly isServing: boolean
}

export interface ToolList {
  /** Another number when anything in the list is another. */
  readonly version: number
  /** By name. */
  readonly tools: readonly ToolLine[]
}

export interface ToolLine {
  readonly name: string
  readonly server: string
  /** The first line of the description. */
  readonly summary: string
  readonly tokens: number
  readonly effect: Effect
  /** Its definition is another than the approved one. */
  readonly isChanged: boolean
  /** It is listed in every request. */
  readonly isPinned: boolean
}

export interface ToolReport extends ToolLine {
  /** The name that the server itself gives it. */
  readonly originalName: string
  /** The definition as the server gave it: description, schemas, annotations, icons. */
  readonly definition: McpTool
  /** Another one is another definition. */
  readonly mark: string
  readonly searchHint?: string
  /**
   * Earlier definitions that were replaced, latest first, five at most. The latest approved one is
   * among them if it was seen since the gateway keeps them.
   */
  readonly history: readonly PastDefinition[]
  readonly access: ToolAccess
  /** How often agents found and called it since the gateway started. */
  readonly found: number
  readonly called: number
}

/** Who may use a tool, and how. */
export interface ToolAccess {
  /** `withheld`: it has changed, and is refused until it is accepted. */
  readonly shown: 'listed' | 'by-search' | 'withheld'
  /** With which of the gateway's tools an agent calls it; none when it calls it directly. */
  readonly callWith?: string
  readonly reach: 'this-machine' | 'who-has-the-token'
}

/** A search as an agent would make it, and why it went as it did. */
export interface SearchReport {
  readonly query: string
  readonly ranker: string
  /** How the query was understood. */
  readonly form: SearchOutcome['form']
  readonly milliseconds: number
  readonly hits: readonly ReportedHit[]
  /** The best of those that were not given, and why not. */
  readonly nearMisses: readonly ToolExplanation[]
  /** When nothing was found: names that come close. */
  readonly closest: readonly string[]
  /** Something matched a little, but not enough to be what was meant. */
  readonly abstained: boolean
  /** Servers whose tools could not be searched. */
  readonly notReady: readonly { readonly server: string; readonly detail?: string }[]
  /** What the model would get. */
  readonly answer: { readonly text: string; readonly tokens: number }
}

export interface ReportedHit {
  readonly name: string
  readonly server: string
  readonly summary: string
  readonly score?: number
  /** What the score is made of, the weightiest first. */
  readonly parts: readonly ScorePart[]
}

/** A query and the tools that would serve it, none if nothing does. */
export interface SavedQuery {
  readonly query: string
  readonly relevant: readonly string[]
}

/** How well the saved queries are served. */
export interface SavedReport {
  readonly file: string
  readonly ranker: string
  /** The share of the right tools among the first 1 and 5; none without queries that some tool serves. */
  readonly recallAt1?: number
  readonly recallAt5?: number
  /** Of the queries that nothing serves, the share answered with nothing. */
  readonly abstained?: number
  /** In the order of the file. */
  readonly queries: readonly SavedResult[]
  /** Lines of the file that cannot be read. They are left out here, and stay as they are. */
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** From one. */
  readonly line: number
  readonly problem: string
}

export interface SavedResult extends SavedQuery {
  /** Those of the right tools that are not there. */
  readonly unknown: readonly string[]
  /** The first five found. */
  readonly found: readonly string[]
  /** All the right tools are among these; where nothing serves, nothing was found. */
  readonly isServed: boolean
}

/**
 * Says that something is another now, so a page asks again or adds what it is told. `tools` and
 * `servers` come at the beginning as well, so nothing is missed by who connects anew.
 */
export type LiveEvent =
  | { readonly kind: 'servers'; readonly servers: readonly ServerReport[] }
  | { readonly kind: 'tools'; readonly version: number }
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  | { readonly kind: 'session'; readonly session: SessionReport }
  | { readonly kind: 'saved' }
