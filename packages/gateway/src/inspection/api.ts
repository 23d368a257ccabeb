import type { ScorePart, SearchOutcome, ToolExplanation } from 'toolsearch'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { PastDefinition } from '../offering/approvals/definition-history.ts'
import type { Effect } from '../offering/effect.ts'
import type { HiddenTool } from '../offering/offer-plan.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import type { RefusedTool, UpstreamState } from '../upstreams/upstream.ts'
import type { ActivityEvent, SessionReport } from './activity/activity-report.ts'
import type { CostReport } from './cost-report.ts'
import type { Finding } from './lint-catalogue.ts'

export type { ScorePart, ToolExplanation } from 'toolsearch'
export type { PastDefinition } from '../offering/approvals/definition-history.ts'
export type { McpTool } from '../protocol/mcp-tool.ts'
export type { UpstreamState } from '../upstreams/upstream.ts'
export type {
  ActivityEvent,
  ActivityReport,
  CacheBreak,
  CallEvent,
  LoadedTool,
  SearchEvent,
  SessionReport,
  TokenLedger,
} from './activity/activity-report.ts'
export type { MissedSearch, MissReport } from './activity/miss-report.ts'
export type { CostReport } from './cost-report.ts'
export type { Finding } from './lint-catalogue.ts'

/**
 * The HTTP API between the inspector page and the gateway; both sides import these types. Requests
 * and responses are JSON under `/api`, next to the page at `/`. They need the same token as the
 * gateway itself, in the header `authorization: Bearer …`. The gateway rejects cross-site requests
 * that change something.
 *
 * | request                          | response                                            |
 * | -------------------------------- | --------------------------------------------------- |
 * | `GET /api/overview`              | `Overview`                                          |
 * | `GET /api/tools`                 | `ToolList`                                          |
 * | `GET /api/tools/NAME`            | `ToolReport`                                        |
 * | `POST /api/tools/NAME/accept`    | `ToolReport`; approves the current definition. Pass the `fingerprint` of the definition that was reviewed. |
 * | `GET /api/search`                | `SearchReport`; `query`, `limit`, `ranker`          |
 * | `GET /api/explain`               | `ToolExplanation`; `query`, `tool`, `limit`, `ranker`   |
 * | `GET /api/saved`                 | `SavedReport`; `ranker`                             |
 * | `POST /api/saved`                | `SavedReport`; the body is a `SavedQuery`; `ranker` |
 * | `DELETE /api/saved`              | `SavedReport`; `query`, `ranker`                    |
 * | `GET /api/activity`              | `ActivityReport`                                    |
 * | `GET /api/misses`                | `MissReport`                                        |
 * | `GET /api/events`                | server-sent events; the data of each is a `LiveEvent`   |
 *
 * Errors are an `ApiError` with status 400, 401, 403, 404, 405, 409, 413 or 500.
 */
export interface ApiError {
  /** What is wrong and what to do, for people. */
  readonly error: string
}

/** The connected servers and what their tools cost. */
export interface Overview {
  readonly version: string
  /** The URL for clients; absent if the gateway serves stdio. */
  readonly url?: string
  /** The entry for a client's configuration, as JSON. */
  readonly snippet: string
  readonly configFile: string
  readonly mode: GatewayConfig['mode']
  /** In the order of the configuration. */
  readonly servers: readonly ServerReport[]
  readonly cost: CostReport
  readonly findings: readonly Finding[]
  /** The tools that rules or invalid overrides hide from agents, with the setting that does. */
  readonly hidden: readonly HiddenTool[]
  readonly rankers: readonly RankerInfo[]
}

export interface ServerReport {
  readonly name: string
  readonly state: UpstreamState
  /** The reason for the state, for people. */
  readonly detail?: string
  /** The most recent lines the server wrote to stderr. */
  readonly logOutput: readonly string[]
  readonly era?: Era
  readonly tools: number
  readonly tokens: number
  readonly refused: readonly RefusedTool[]
}

/** A ranker that the search lab can use. */
export interface RankerInfo {
  readonly id: string
  readonly title: string
  /** Whether the searches of agents use it. */
  readonly isServing: boolean
}

export interface ToolList {
  /** Changes when anything in the list changes. */
  readonly version: number
  /** Sorted by name. */
  readonly tools: readonly ToolLine[]
}

export interface ToolLine {
  readonly name: string
  readonly server: string
  /** The first line of the description. */
  readonly summary: string
  readonly tokens: number
  readonly effect: Effect
  /** The definition differs from the approved one. */
  readonly isChanged: boolean
  /** The tool is listed in every request. */
  readonly isPinned: boolean
}

export interface ToolReport extends ToolLine {
  /** The tool's name on its server. */
  readonly originalName: string
  /** The server's definition: description, schemas, annotations, icons. */
  readonly definition: McpTool
  /** Changes with the definition. */
  readonly fingerprint: string
  readonly searchHint?: string
  /**
   * Earlier definitions, latest first, at most five. They include the last approved definition if
   * the gateway recorded it.
   */
  readonly history: readonly PastDefinition[]
  readonly access: ToolAccess
  /** How often agents found and called the tool since the gateway started. */
  readonly found: number
  readonly called: number
}

/** How agents find and call a tool, and who can reach the gateway. */
export interface ToolAccess {
  /** `withheld`: the definition changed, and calls are rejected until it is accepted. */
  readonly shown: 'listed' | 'by-search' | 'withheld'
  /** The gateway tool that agents call it with; absent if they call it directly. */
  readonly callWith?: string
  readonly reach: 'this-machine' | 'token-holders'
}

/** The result of a search as an agent would get it, with the reasons. */
export interface SearchReport {
  readonly query: string
  readonly ranker: string
  /** How the query was interpreted. */
  readonly form: SearchOutcome['form']
  readonly milliseconds: number
  readonly hits: readonly ReportedHit[]
  /** The highest-ranked tools that were not returned, and why. */
  readonly nearMisses: readonly ToolExplanation[]
  /** How likely it is that the results contain what the query asks for. */
  readonly confidence: SearchOutcome['confidence']
  /** With low confidence: the best matches, which the answer lists without their definitions. */
  readonly candidates: readonly ReportedHit[]
  /** One sentence for each rule that changed the ranking. */
  readonly rules: readonly string[]
  /** With candidates: a query in the words of the tools to try next. */
  readonly suggestion?: string
  /** If nothing was found: similar tool names. */
  readonly closest: readonly string[]
  /** Servers that are not connected, so their tools could not be searched. */
  readonly notReady: readonly { readonly server: string; readonly detail?: string }[]
  /** The text a model would get. */
  readonly answer: { readonly text: string; readonly tokens: number }
}

export interface ReportedHit {
  readonly name: string
  readonly server: string
  readonly summary: string
  readonly score?: number
  /** The parts of the score, largest first. */
  readonly parts: readonly ScorePart[]
}

/** A test query and the tools it should find; empty if it should find nothing sure. */
export interface SavedQuery {
  readonly query: string
  readonly relevant: readonly string[]
}

/** How well a search performs on the saved queries. */
export interface SavedReport {
  readonly file: string
  readonly ranker: string
  /** Recall in the first 1 and 5 results; absent if no query has relevant tools. */
  readonly recallAt1?: number
  readonly recallAt5?: number
  /** The fraction of queries without relevant tools whose results are empty or have low confidence. */
  readonly doubted?: number
  /** In the order of the file. */
  readonly queries: readonly SavedResult[]
  /** Lines of the file that cannot be parsed. They are skipped and stay in the file. */
  readonly problems: readonly LineProblem[]
}

export interface LineProblem {
  /** Starting at 1. */
  readonly line: number
  readonly problem: string
}

export interface SavedResult extends SavedQuery {
  /** Relevant tools that are not in the catalogue. */
  readonly unknown: readonly string[]
  /** The first five results, candidates included. */
  readonly found: readonly string[]
  readonly confidence?: SearchOutcome['confidence']
  /** `found` contains all relevant tools; if there are none, it is empty or has low confidence. */
  readonly isServed: boolean
}

/**
 * A change that the page reacts to: some events carry the new data, others tell it to fetch again.
 * Every stream starts with `tools` and `servers`, so a client that reconnects misses nothing.
 */
export type LiveEvent =
  | { readonly kind: 'servers'; readonly servers: readonly ServerReport[] }
  | { readonly kind: 'tools'; readonly version: number }
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  | { readonly kind: 'session'; readonly session: SessionReport }
  | { readonly kind: 'saved' }
