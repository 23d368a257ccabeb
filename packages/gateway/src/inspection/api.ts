import type { ScorePart, SearchOutcome, ToolExplanation } from 'toolsearch'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { Effect } from '../downstream/effect.ts'
import type { CostReport } from '../reports/cost-report.ts'
import type { Finding } from '../reports/lint-catalogue.ts'
import type { Era, McpTool, RefusedTool, UpstreamState } from '../upstreams/upstream.ts'

export type { ScorePart, ToolExplanation } from 'toolsearch'
export type { CostReport } from '../reports/cost-report.ts'
export type { Finding } from '../reports/lint-catalogue.ts'
export type { McpTool, UpstreamState } from '../upstreams/upstream.ts'

/**
 * What the inspector asks the gateway, and what it is told: one source for both. Everything is JSON
 * over HTTP under `/api`, beside the page at `/`, and asks for the same token as the gateway does.
 *
 * | request                          | answer                                              |
 * | -------------------------------- | --------------------------------------------------- |
 * | `GET /api/overview`              | `Overview`                                          |
 * | `GET /api/tools`                 | `ToolList`                                          |
 * | `GET /api/tools/NAME`            | `ToolReport`                                        |
 * | `POST /api/tools/NAME/accept`    | `ToolReport`: approves the definition as it is now  |
 * | `GET /api/search`                | `SearchReport`; `query`, `limit`, `ranker`          |
 * | `GET /api/explain`               | `ToolExplanation`; `query`, `tool`, `limit`, `ranker`   |
 * | `GET /api/saved`                 | `SavedReport`; `ranker`                             |
 * | `POST /api/saved`                | `SavedReport`; takes a `SavedQuery`                 |
 * | `DELETE /api/saved`              | `SavedReport`; `query`                              |
 * | `GET /api/activity`              | `ActivityReport`                                    |
 * | `GET /api/misses`                | `MissReport`                                        |
 * | `GET /api/events`                | server-sent events, each a `LiveEvent`              |
 *
 * Anything else answers with an `ApiError` and a status of 400, 401, 403, 404, 405, 413 or 500.
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
  readonly searchHint?: string
  /** Earlier definitions that were replaced, latest first; the approved one among them. */
  readonly history: readonly PastDefinition[]
  readonly access: ToolAccess
  /** How often agents found and called it since the gateway started. */
  readonly found: number
  readonly called: number
}

export interface PastDefinition {
  /** When it was replaced, as an ISO date. */
  readonly replacedAt: string
  readonly isApproved: boolean
  readonly definition: McpTool
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
}

export interface SavedResult extends SavedQuery {
  /** The first five found. */
  readonly found: readonly string[]
  readonly isServed: boolean
}

/** What agents did since the gateway started, as far as it is remembered. */
export interface ActivityReport {
  /** The one that was active last is first. */
  readonly sessions: readonly SessionReport[]
  /** The latest is first. */
  readonly events: readonly ActivityEvent[]
}

export interface SessionReport {
  readonly id: string
  readonly client: string
  readonly transport: 'stdio' | 'http'
  /** ISO dates. */
  readonly since: string
  readonly lastActive: string
  readonly isOpen: boolean
  readonly searches: number
  readonly calls: number
  /** Tools whose definitions the model was given, in that order. */
  readonly loaded: readonly LoadedTool[]
  readonly ledger: TokenLedger
  readonly cacheBreaks: readonly CacheBreak[]
}

export interface LoadedTool {
  readonly name: string
  readonly tokens: number
  readonly at: string
  /** The search that brought it. */
  readonly query?: string
  readonly calls: number
}

/** Tokens of one session. Each call is counted as one request of the model, which is the least it can be. */
export interface TokenLedger {
  readonly requests: number
  /** The list, in each request. */
  readonly listing: number
  /** What searches answered. */
  readonly searches: number
  /** Definitions of tools among that. */
  readonly loaded: number
  /** What every tool in each request would have cost beyond that. */
  readonly saved: number
}

/** The list changed while the session went on, so a provider's cache of its prompt was lost. */
export interface CacheBreak {
  readonly at: string
  readonly reason: string
}

export type ActivityEvent = SearchEvent | CallEvent

interface EventBase {
  /** Counts up. */
  readonly id: number
  readonly at: string
  readonly session: string
  readonly client: string
  readonly milliseconds: number
  /** Characters of what was answered. */
  readonly size: number
}

export interface SearchEvent extends EventBase {
  readonly kind: 'search'
  readonly query: string
  /** Names, best first. */
  readonly hits: readonly string[]
}

export interface CallEvent extends EventBase {
  readonly kind: 'call'
  readonly tool: string
  readonly server?: string
  /** The beginning of what it said, when it went wrong. */
  readonly failure?: string
}

/** Where agents did not get what they looked for. */
export interface MissReport {
  /** Most frequent first, then latest. */
  readonly searches: readonly MissedSearch[]
  /** Tools that no search has given yet, by server and name; empty before the first search. */
  readonly neverFound: readonly { readonly name: string; readonly server: string }[]
  /** How many searches were made, missed or not. */
  readonly total: number
}

export interface MissedSearch {
  readonly query: string
  /** `not-called`: the session went on and called none of the tools that were found. */
  readonly kind: 'nothing-found' | 'repeated' | 'not-called'
  readonly times: number
  readonly lastAt: string
  /** What it found the last time. */
  readonly hits: readonly string[]
}

/** Says that something is another now, so a page asks again or adds what it is told. */
export type LiveEvent =
  | { readonly kind: 'servers'; readonly servers: readonly ServerReport[] }
  | { readonly kind: 'tools'; readonly version: number }
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  | { readonly kind: 'session'; readonly session: SessionReport }
  | { readonly kind: 'saved' }
