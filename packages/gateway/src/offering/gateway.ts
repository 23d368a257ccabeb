import {
  createToolSearch,
  type Ranker,
  type SearchOutcome,
  type Session,
  type SessionSearchOptions,
  type ToolSearch,
} from 'toolsearch'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'
import { answerCalls, failure } from './answer-calls.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { CallResult } from './large-results.ts'
import type { HiddenTool } from './offer-plan.ts'
import type { SetupProblem } from './setup-problems.ts'
import type { ToolOrigin } from './synced-tools.ts'
import { createToolListing, type WaitingTool } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { createValidateArguments } from './validate-arguments.ts'

/** What agents can list, search and call, independent of the protocol that serves it. */
export interface Gateway {
  /** The current settings. */
  readonly config: GatewayConfig
  /** Its catalogue contains the tools of all servers, under the names that agents see. */
  readonly toolSearch: ToolSearch
  /** Whether found tools are added to the tool list of the connection that found them. */
  readonly isDynamic: boolean
  /**
   * The tools that agents see, in a stable order. Same reference until the list changes.
   *
   * @param found names of further tools to append
   */
  listTools(found?: Iterable<string>): readonly McpTool[]
  /** The name under which the gateway offers a server's tool or prompt. */
  nameOf(server: string, name: string): string
  /**
   * The server that has a tool, and the tool as that server defines it. Undefined if there is none.
   * Also finds tools that are withheld from models.
   */
  origin(name: string): ToolOrigin | undefined
  /**
   * Calls a meta tool or a server's tool. Failures are results with `isError`; rejects only with an
   * error response of a server that `options.rejectsWith` selects.
   */
  callTool(params: JsonObject, options?: CallOptions): Promise<CallResult>
  /** Answers a search like `tool_search`, in any session over the same catalogue. */
  searchIn(
    session: Session,
    args: JsonObject,
    options?: Omit<SessionSearchOptions, 'result'>,
  ): Promise<SearchAnswer>
  /** The tools that the configuration hides from agents, for people. */
  hiddenTools(): readonly HiddenTool[]
  /**
   * Settings that match no tool, and tools that could not get the name they should have. A setting is
   * judged once the tools of its servers are known. Same reference until something changes.
   */
  setupProblems(): readonly SetupProblem[]
  /** Names of the tools whose definitions differ from the approved ones. */
  changedTools(): string[]
  /** The tools that wait for a person, and those that a person has blocked. */
  waitingTools(): WaitingTool[]
  /** Approves a tool's current definition, and unblocks it. Returns false if there is no such tool. */
  acceptTool(name: string): boolean
  /** Hides a tool from models, even if it changes. Returns false if there is no such tool. */
  blockTool(name: string): boolean
  /** Takes back the last decision about a tool. Returns false if there is none. */
  undoDecision(name: string): boolean
  /** Applies what another process has decided. */
  applyApprovals(): void
  /** Applies new settings. Does not start or stop servers. */
  configure(config: GatewayConfig): void
  /** Runs the listener after new settings were applied. Returns a function that stops it. */
  onConfigured(listener: () => void): () => void
  /** Runs the listener when `listTools` returns something new. Returns a function that stops it. */
  onListChanged(listener: () => void): () => void
  close(): void
}

interface SearchAnswer {
  /** With several queries: their results as one. */
  readonly outcome: SearchOutcome
  /** What each query found. */
  readonly searches: readonly FoundTools[]
  readonly result: CallResult
  /** The entries of the answer that contain the parameters of their tool. */
  readonly definitions: readonly JsonObject[]
}

/** What one query found: names of tools, best first. */
export interface FoundTools {
  readonly query: string
  readonly hits: readonly string[]
  /** The nearest tools, if nothing matches for sure. */
  readonly candidates: readonly string[]
}

export interface CallOptions extends RequestOptions {
  /** Receives the names of the tools that a search found, best first. */
  readonly onFound?: (names: readonly string[]) => void
  /** Receives what each query of a search found. */
  readonly onSearched?: (searches: readonly FoundTools[]) => void
  /** Receives the tools whose parameters the answer contains, as it describes them. */
  readonly onDefinitions?: (definitions: readonly JsonObject[]) => void
  /** Receives the unmodified result of a server's tool. */
  readonly onResult?: (server: string, result: JsonObject) => void
  /**
   * Whether to reject with a server's error response. `isDirect` is true if the call named the
   * server's tool itself instead of a call tool. @default never: errors become results
   */
  readonly rejectsWith?: (answer: ErrorAnswer, isDirect: boolean) => boolean
  /** The client that makes the call, if known. */
  readonly client?: GatewayClient | undefined
}

/** A client program. Where the protocol has connections, each connection has its own id. */
export interface GatewayClient {
  readonly id: string
  readonly name: string
}

export interface GatewayOptions {
  /** @default every definition counts as approved */
  readonly approvals?: Approvals
  /**
   * Tools that wait for approval are withheld from a model, because their text may be an attack on
   * it. A person sees them. @default 'model'
   */
  readonly audience?: 'model' | 'person'
  /** @default the keyword ranker */
  readonly ranker?: () => Ranker
}

export function createGateway(
  config: GatewayConfig,
  servers: UpstreamSet,
  { approvals, audience = 'model', ranker }: GatewayOptions = {},
): Gateway {
  const validate = createValidateArguments()
  const toolSearch = createToolSearch({
    activation: 'always',
    loading: 'none',
    validate,
    ...(ranker && { ranker }),
  })
  const listing = createToolListing(config, servers, { toolSearch, approvals, audience })
  const { answer, searchIn } = answerCalls(listing, servers, { toolSearch, validate, approvals })

  function decide(name: string, decision: 'accept' | 'block' | 'undo'): boolean {
    listing.indexAll()
    return listing.decide(name, decision)
  }

  return {
    get config() {
      return listing.config
    },
    get toolSearch() {
      listing.indexAll()
      return toolSearch
    },
    get isDynamic() {
      return listing.isDynamic
    },
    listTools: (found = []) => listing.list(found),
    nameOf: listing.nameOf,
    origin(name) {
      listing.indexAll()
      return listing.origin(name)
    },
    async callTool(params, options = {}) {
      const { name } = params
      if (typeof name !== 'string') return failure('A call must have the name of a tool.')
      listing.indexAll()
      const args = (params.arguments ?? {}) as JsonObject
      try {
        return await answer({ ...params, name, arguments: args }, options)
      } catch (error) {
        const response = error instanceof UpstreamError ? error.answer : undefined
        const isDirect = listing.origin(name) !== undefined
        if (response && options.rejectsWith?.(response, isDirect)) throw error
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
    searchIn,
    hiddenTools() {
      listing.indexAll()
      return listing.hiddenTools()
    },
    setupProblems: listing.problems,
    changedTools() {
      listing.indexAll()
      return listing.waitingTools().flatMap(({ name, kind }) => (kind === 'changed' ? [name] : []))
    },
    waitingTools() {
      listing.indexAll()
      return listing.waitingTools()
    },
    acceptTool: (name) => decide(name, 'accept'),
    blockTool: (name) => decide(name, 'block'),
    undoDecision: (name) => decide(name, 'undo'),
    applyApprovals: listing.applyApprovals,
    configure: listing.configure,
    onConfigured: listing.onConfigured,
    onListChanged: listing.onListChanged,
    close: listing.close,
  }
}
