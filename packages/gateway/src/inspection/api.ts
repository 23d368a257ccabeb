import type { SearchOutcome, ToolExplanation } from 'toolsearch'
import type { ScorePart } from 'toolsearch/rankers'
import type { Effect } from '../access/effect.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { PastDefinition } from '../offering/approvals/definition-history.ts'
import type { FileChange } from '../offering/approvals/skill-changes.ts'
import type { CallResult } from '../offering/large-results.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { Era } from '../protocol/versions.ts'
import type { RefusedTool, UpstreamState } from '../upstreams/upstream.ts'
import type {
  ActivityEvent,
  ActivityReport,
  RunningCall,
  SessionReport,
} from './activity/activity-report.ts'
import type { MissReport } from './activity/miss-report.ts'
import type { CostReport } from './cost-report.ts'
import type { HistoryPage } from './history/history-entry.ts'
import type { Timeline } from './history/timeline.ts'
import type { Finding } from './lint-catalogue.ts'

export type { ToolExplanation } from 'toolsearch'
export type { ScorePart } from 'toolsearch/rankers'
export type { AuditEntry } from '../audit/audit-entry.ts'
export type { PastDefinition } from '../offering/approvals/definition-history.ts'
export type { FileChange } from '../offering/approvals/skill-changes.ts'
export type { McpTool } from '../protocol/mcp-tool.ts'
export type { UpstreamState } from '../upstreams/upstream.ts'
export type {
  ActivityEvent,
  ActivityReport,
  CacheBreak,
  CallEvent,
  LoadedTool,
  RunningCall,
  SearchEvent,
  SessionReport,
  TokenLedger,
} from './activity/activity-report.ts'
export type { MissedSearch, MissKind, MissReport } from './activity/miss-report.ts'
export type { AuditReport } from './audit-report.ts'
export type { CostReport } from './cost-report.ts'
export type { CallEntry, HistoryEntry, HistoryPage, SearchEntry } from './history/history-entry.ts'
export type { Timeline, TimelineBucket, TimelineCounts } from './history/timeline.ts'
export type { Finding } from './lint-catalogue.ts'
export type * from './team-api.ts'

/**
 * The HTTP API between the inspector page and the gateway; both sides import these types. Requests
 * and responses are JSON under `/api`, next to the page at `/`. They need the same token as the
 * gateway itself, in the header `authorization: Bearer …`. The gateway rejects cross-site requests
 * that change something. `docs/inspector.md` lists the requests.
 *
 * `since` and `until` are ISO dates or durations before now: `15m`, `24h`, `7d`.
 *
 * Errors are an `ApiError` with status 400, 401, 403, 404, 405, 409, 413 or 500.
 */
export interface ApiError {
  /** What is wrong and what to do, for people. */
  readonly error: string
  /** The call needs a confirmation: what the tool can do. */
  readonly effect?: Effect
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
  readonly rankers: readonly RankerInfo[]
  /** Names of the servers that the configuration disables. */
  readonly disabledServers: readonly string[]
  /** Whether the page can edit the configuration file; `reason` says why not. */
  readonly editing: { readonly isPossible: boolean; readonly reason?: string }
  /** How long searches and calls are kept on disk; absent if history is off. */
  readonly history?: { readonly days: number; readonly megabytes: number; readonly folder: string }
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
  /** Those that can be offered. */
  readonly skills: number
  readonly tokens: number
  readonly refused: readonly RefusedTool[]
  /** These are the folders with skills, not a server: nothing can be restarted or disabled. */
  readonly isFolders: boolean
  /** Whether it is a local process or a remote server. */
  readonly isLocal: boolean
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
  /** Tools that the servers have, but the configuration hides. By server and name. */
  readonly hidden: readonly HiddenTool[]
}

/** A tool that agents cannot find or call, because a rule of the configuration hides it. */
export interface HiddenTool {
  readonly server: string
  /** The tool's name on its server. */
  readonly tool: string
  readonly summary: string
  readonly effect: Effect
  /** The setting that hides it, such as `toolsearch.deny[0] of server "bank"`. */
  readonly hiddenBy: string
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
  /** Not a tool but a skill. `tokens` is what reading it costs. */
  readonly isSkill?: boolean
  /** The tool is listed in every request. */
  readonly isPinned: boolean
  /** Agents cannot find or call the tool until a person decides: see `ToolReport.withheld`. */
  readonly withheld?: WithheldReason
}

/** `new`: waits for its first approval. `changed`: differs from what was approved. `blocked`: rejected. */
export type WithheldReason = 'new' | 'changed' | 'blocked'

export interface ToolReport extends Omit<ToolLine, 'withheld'> {
  /** What a skill consists of, and the tools that a search returns with it. */
  readonly skill?: {
    readonly files: readonly {
      readonly path: string
      readonly size: number
      readonly digest: string
    }[]
    readonly tools: readonly string[]
  }
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
  /** Present if agents cannot find or call the tool until a person decides. */
  readonly withheld?: {
    readonly reason: WithheldReason
    /** What happened and what it means, for people. */
    readonly message: string
  }
  /** The definition that was last approved, if it is known and differs from `definition`. */
  readonly approved?: McpTool
  /** A sentence of the definition that promotes the tool or gives orders to the model. */
  readonly promotion?: string
  /** What the configuration file says about the tool. */
  readonly settings: ToolSettings
  /** How often agents found and called the tool since the gateway started. */
  readonly found: number
  readonly called: number
}

/** What changed in a skill since it was approved. */
export interface SkillChanges {
  /** Absent if the approved skill is not known. */
  readonly files?: readonly FileChange[]
}

/** A file of a skill, or why it cannot be shown. */
export type SkillFileText = { readonly text: string } | { readonly problem: string }

/** What the configuration file says about one tool. */
export interface ToolSettings {
  /** Listed in `pins`. */
  readonly isPinned: boolean
  readonly hint?: string
  /** The tool's entry in `overrides`. */
  readonly override?: JsonObject
}

/** How agents find and call a tool, and who can reach the gateway. */
export interface ToolAccess {
  /** `withheld`: agents cannot find or call it until it is accepted. */
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
  readonly isSkill?: boolean
  /** The skill that the tool comes along with. */
  readonly withSkill?: string
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
 * Every stream starts with `tools`, `servers` and `running`, so a client that reconnects misses nothing.
 */
export type LiveEvent =
  | { readonly kind: 'servers'; readonly servers: readonly ServerReport[] }
  | { readonly kind: 'tools'; readonly version: number }
  | { readonly kind: 'activity'; readonly event: ActivityEvent }
  | { readonly kind: 'session'; readonly session: SessionReport }
  /** The calls in progress changed; replaces the list. Calls that end at once are not announced. */
  | { readonly kind: 'running'; readonly calls: readonly RunningCall[] }
  | { readonly kind: 'saved' }
  /** Other settings apply, or an edit of the configuration file was undone: fetch them again. */
  | { readonly kind: 'config' }

/** The body of a call from the page. */
export interface ToolCallRequest {
  readonly arguments: JsonObject
  /** Required unless the tool is read-only. */
  readonly confirm?: true
}

/** The outcome of a call from the page. Recorded like a call of an agent named "inspector". */
export interface ToolCallReport {
  readonly tool: string
  /** The result that an agent would get. If `isError` is set, the call failed. */
  readonly result: CallResult
  readonly milliseconds: number
  /** Characters and estimated tokens of the result. */
  readonly size: number
  readonly tokens: number
}

/** The sign-in continues in the browser at `url`; a `servers` event tells when it is done. */
export interface SignInStart {
  readonly url: string
}

/**
 * An edit of the configuration file. `tool` is the tool's name on its server (`originalName`).
 *
 * - `deny`: hide a tool. `allow` and `undeny`: stop hiding it; with an `allow` list, add it there.
 * - `pin`, `unpin`: list a tool in every request, or stop listing it.
 * - `hint`: set the search terms of a tool; `null` removes them.
 * - `override`: replace parts of a tool's definition; `null` removes the replacement.
 * - `enable`, `disable`: a whole server.
 */
export type ConfigEdit =
  | {
      readonly action: 'allow' | 'deny' | 'undeny' | 'pin' | 'unpin'
      readonly server: string
      readonly tool: string
    }
  | {
      readonly action: 'hint'
      readonly server: string
      readonly tool: string
      readonly value: string | null
    }
  | {
      readonly action: 'override'
      readonly server: string
      readonly tool: string
      readonly value: JsonObject | null
    }
  | { readonly action: 'enable' | 'disable'; readonly server: string }

/** A line of a difference between two versions of a file. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
  /** The line's number in the new file, or in the old one if it was removed; starting at 1. */
  readonly line: number
}

export interface ConfigChangeReport {
  /** What the edit does, such as `Deny bank/transfer_money`. */
  readonly title: string
  readonly file: string
  /** The changed lines with three lines around them; empty if the file already says so. */
  readonly diff: readonly DiffLine[]
  /** For `POST /api/config/undo`; absent if nothing was written. */
  readonly undo?: string
  /** Whether the running gateway uses the new settings. False if that took longer than 5 seconds. */
  readonly isApplied: boolean
}

/** Edits of the configuration file that can be undone, latest first. */
export interface ConfigChangeList {
  readonly changes: readonly ConfigChange[]
}

export interface ConfigChange {
  readonly id: string
  readonly title: string
  /** ISO date. */
  readonly at: string
  readonly files: readonly string[]
}

export interface ConfigUndoReport {
  readonly title: string
  readonly restored: readonly string[]
  readonly isApplied: boolean
}

/** Queries that find a tool of this catalogue: each was tried, and `tool` came first. */
export interface ExampleList {
  readonly examples: readonly { readonly query: string; readonly tool: string }[]
}

/** What the views look like with some activity. Made up from the real tools, never recorded. */
export interface SampleSession {
  readonly isSample: true
  readonly activity: ActivityReport
  readonly history: HistoryPage
  readonly timeline: Timeline
  readonly misses: MissReport
}

/** What searches have learned from the use of a tool. */
export interface LearnedReport {
  /** Whether the gateway learns, and searches use what was learned. */
  readonly isOn: boolean
  /** Newest first. */
  readonly requests: readonly LearnedRequest[]
}

/** Words that people searched for before they used a tool. */
export interface LearnedRequest {
  readonly words: string
  /** How many people did. */
  readonly people: number
  /** When the latest of them did, in milliseconds since 1970. */
  readonly newest: number
}
