import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import type { SessionSnapshot } from '../stores/session-snapshot.ts'
import type { SavingsReport } from '../tokens/savings-report.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import type { Answer, ResultFormat } from '../tool-search/search-answer.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Reveal } from '../transcript/reveal.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionSearchRequest } from './session-search.ts'
import type { AppendOnly, Turn } from './turn.ts'

/** One conversation: what each request contains, and how to answer the model's calls. */
export interface Session extends SessionCalls {
  readonly id: string
  /**
   * Names of the loaded tools in loading order, as of the last call to this object. Some may no longer
   * be in the catalogue.
   */
  readonly loaded: readonly string[]
  /** The definition of the search tool. */
  readonly searchTool: SearchTool
  /** How the preset's system gives found tools to the model; undefined if it does not matter. */
  readonly reveal: Reveal | undefined
  /** Where adapters use the preset's format of search results; undefined for everywhere. */
  readonly resultIn: ResultFormat['usedIn']
  /**
   * The conversation's own tools, on top of the shared ones: an own tool replaces a shared tool of
   * the same name. Changes apply to this object only and are not stored.
   */
  readonly catalogue: Catalogue
  /** Plans the next request. Call it once per request, after answering all calls in the last reply. */
  turn(options?: TurnOptions): Promise<Turn>
  /** All tools that this conversation may use, in catalogue order. */
  tools(): readonly Tool[]
  tool(name: string): Tool | undefined
  /**
   * Loaded tools that were removed since, with the last known definition. Histories still refer to
   * them. A definition is kept in memory only, so after a restart some may be missing.
   */
  removedTools(): readonly ToolText[]
  /**
   * Searches and loads the hits. Searches of one session run one after another, also if several
   * objects of the same `ToolSearch` continue it. `outcome` is the result as data, `answer` is what
   * the model should receive.
   */
  search(
    input: unknown,
    options?: SessionSearchOptions,
  ): Promise<{ outcome: SearchOutcome; answer: Answer }>
  /**
   * Loads tools without a search, for example the tool of a forced tool choice. Resolves to the names
   * that were not loaded before.
   */
  load(names: readonly string[]): Promise<readonly string[]>
  /** Call this after you replace the history with a summary. */
  compacted(): Promise<void>
  /** Replaces the loaded tools with those found in the messages of a conversation. */
  rebuild(messages: readonly unknown[], options?: RebuildOptions): Promise<readonly string[]>
  /**
   * The same conversation with exactly these tools, for callers that pass their tools with each
   * request. No other conversation sees them. If this conversation can already see a tool of that
   * name, fields that the definition omits have the values of that tool. To reuse the search index,
   * pass the same array again.
   * @throws InvalidToolError
   */
  withTools(definitions: readonly ToolDefinition[]): Session
  /**
   * Opens a separate session for a subagent, with a copy of the conversation's own tools, and without
   * the loaded tools unless `loaded` is true. It may see the same tools as this session.
   * @throws SessionExistsError if there is a session with this id
   */
  fork(id: string, options?: { loaded?: boolean }): Promise<Session>
  /** The current state as JSON, with the tools that this caller may see. */
  snapshot(): Promise<SessionSnapshot>
  /** Compares the tokens of this turn with sending every tool. */
  report(turn: Turn): SavingsReport
  /**
   * Frees the conversation's own tools now instead of when this object is garbage-collected. The
   * record stays in the store. Afterwards every other method fails with a `SessionClosedError`.
   */
  close(): void
}

export interface RebuildOptions {
  /**
   * Maps a name in the messages to a tool name.
   * @default the same name
   */
  readonly nameOf?: (name: string) => string
  /**
   * Reads a message of a framework.
   * @default understands the messages of all providers and of the AI SDK
   */
  readonly read?: (message: object, at: number) => Entry
}

export interface SessionSearchOptions extends SessionSearchRequest {
  /**
   * Formats the answer.
   * @default the preset's result format
   */
  readonly result?: ResultFormat
  /**
   * How many tools to return. Not clamped to the preset's maximum.
   * @default the limit in the input
   */
  readonly limit?: number
}

export interface TurnOptions {
  /**
   * Tokens of the conversation so far, for activation by `usageShare`.
   * @default 0
   */
  usedTokens?: number
  /**
   * Whether the model may call the search tool in this request. If not, nothing is deferred.
   * @default true
   */
  canSearch?: boolean
  /** A tool that the model is forced to call in this request. It is loaded if it is hidden. */
  toolChoice?: string
  /**
   * What the user said. If a search with these words is sure, up to two hidden tools that it finds
   * are loaded before the model asks for them. It does not count as a search of the model.
   * @default nothing is loaded
   */
  expect?: string
  /**
   * For requests whose prefix must not change: the system prompt block of the search tool is repeated byte
   * for byte. Listed tools and the search tool stay listed without this setting, too.
   */
  appendOnly?: Pick<AppendOnly, 'reveal' | 'revealed' | 'places' | 'delaysNotice'>
}
