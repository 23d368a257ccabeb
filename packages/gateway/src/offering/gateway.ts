import {
  createToolSearch,
  type Ranker,
  type SearchOutcome,
  type SearchReasons,
  type Session,
  type ToolSearch,
} from 'toolsearch'
import type { GatewayConfig } from '../config/gateway-config.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'
import type { JsonObject, McpTool, RequestOptions } from '../upstreams/upstream.ts'
import { answerCalls, failure } from './answer-calls.ts'
import type { Approvals } from './approvals/approvals.ts'
import type { CallResult } from './large-results.ts'
import { createToolListing } from './tool-listing.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { createValidateArguments } from './validate-arguments.ts'

/** What agents see, in no protocol's words yet. */
export interface Gateway {
  /** Its catalogue has every tool of every server, under the names that agents see. */
  readonly toolSearch: ToolSearch
  /** Found tools are to join the list of the connection they were found in. */
  readonly isDynamic: boolean
  /**
   * What `tools/list` gives, in an order that stays.
   *
   * @param found names of further tools to be listed after the others
   */
  listTools(found?: Iterable<string>): readonly McpTool[]
  /** The name under which a tool or a prompt of a server is offered. */
  nameOf(server: string, name: string): string
  /**
   * Answers any call, of the gateway's own tools or of a server's. Rejects only with the error of a
   * server, and only if the caller wants it so.
   */
  callTool(params: JsonObject, options?: CallOptions): Promise<CallResult>
  /** Answers a search as `tool_search` does, in any session over the same tools. */
  searchIn(session: Session, given: JsonObject, reasons?: SearchReasons): Promise<AnsweredSearch>
  /** Tools whose definitions are others than the approved ones. */
  changedTools(): string[]
  /** Approves a tool as it is now; false if there is none of that name. */
  acceptTool(name: string): boolean
  /** Goes on with other settings. The servers themselves are the business of who has them. */
  configure(config: GatewayConfig): void
  /** The listener runs when `listTools` gives something else than before. */
  onListChanged(listener: () => void): () => void
  close(): void
}

interface AnsweredSearch {
  readonly outcome: SearchOutcome
  readonly result: CallResult
}

export interface CallOptions extends RequestOptions {
  /** Gets the names of tools that the call has found, best first. */
  readonly onFound?: (names: readonly string[]) => void
  /** Gets the result of a server's tool as it came. */
  readonly onResult?: (server: string, result: JsonObject) => void
  /**
   * Whether to reject with an error that a server answered with. `isDirect` if the call named the
   * server's tool itself. @default never, the error is told as a result
   */
  readonly rejectsWith?: (answer: ErrorAnswer, isDirect: boolean) => boolean
  /** Who calls, if that is known. */
  readonly client?: GatewayClient | undefined
}

/** A program that calls. Two that run side by side have two ids where the protocol tells them apart. */
export interface GatewayClient {
  readonly id: string
  /** What it calls itself. */
  readonly name: string
}

export interface GatewayOptions {
  /** Which definitions were approved. @default whatever they are */
  readonly approvals?: Approvals
  /**
   * Who looks at the tools. With `pinDefinitions` a model is not shown one that has changed: its new
   * text may be meant for the model. A person is. @default 'model'
   */
  readonly audience?: 'model' | 'person'
  /** @default by words */
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
  const offer = createToolListing(config, servers, { toolSearch, approvals, audience })
  const { answer, searchIn } = answerCalls(offer, servers, { toolSearch, validate, approvals })

  return {
    get toolSearch() {
      offer.complete()
      return toolSearch
    },
    get isDynamic() {
      return offer.isDynamic
    },
    listTools: (found = []) => offer.list(found),
    nameOf: offer.nameOf,
    async callTool(params, options = {}) {
      const { name } = params
      if (typeof name !== 'string') return failure('A call needs the name of a tool.')
      offer.complete()
      const given = (params.arguments ?? {}) as JsonObject
      try {
        return await answer({ ...params, name, arguments: given }, options)
      } catch (error) {
        const refusal = error instanceof UpstreamError ? error.answer : undefined
        const isDirect = offer.home(name) !== undefined
        if (refusal && options.rejectsWith?.(refusal, isDirect)) throw error
        return failure(error instanceof Error ? error.message : String(error))
      }
    },
    searchIn,
    changedTools() {
      offer.complete()
      return offer.changedTools()
    },
    acceptTool(name) {
      offer.complete()
      return offer.accept(name)
    },
    configure: offer.configure,
    onListChanged: offer.onListChanged,
    close: offer.close,
  }
}
