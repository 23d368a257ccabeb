import type { Tool } from '../catalogue/tool.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'

/**
 * What the adapter needs to know of a provider, and all it ever asks. Messages are the provider's own
 * shapes; names are as they travel. Every function is pure, never throws on what a model or a
 * history holds, and never changes what it is given.
 */
export interface Provider<Message, Request, Reply> {
  readonly name: string
  /** What it can do, by the name a user chooses it by. */
  readonly modes: Readonly<Record<string, Mode>>
  /** The tool names it accepts. */
  readonly acceptsName: RegExp
  /** How many definitions one request may list. */
  readonly maxTools: number
  /** The best mode for a model. */
  defaultMode(model: string | undefined): string
  /** Why a model cannot have a mode; undefined if it can. */
  refusal?(mode: string, model: string | undefined): string | undefined
  encode(plan: RequestPlan<Message>): Request
  decode(reply: Reply): DecodedReply<Message>
  /** The messages that answer a reply's calls, each of which has its result. */
  render(results: readonly CallResult[], mode: string): readonly Message[]
  /** The names that the messages make known by themselves, so that they need not be listed. */
  revealed(messages: readonly Message[], mode: string): ReadonlySet<string>
  /** Makes messages that the service accepts with this plan. Gives back the same array if it does. */
  repair(messages: readonly Message[], context: RepairContext): Repaired<Message>
  /** Adds up a streamed reply. */
  collect(): Collector<Reply>
}

/** How tools are kept out of a request and how they come into it. */
export interface Mode {
  /** Whose search the model calls. */
  readonly search: 'ours' | 'theirs'
  /**
   * How a tool that is found becomes known: `list`, at the end of the tool list; `messages`, by a
   * block that refers to it or defines it; `text`, by its schema in the result of the search.
   */
  readonly reveal: 'list' | 'messages' | 'text'
  /** Found tools are called through `call_tool`. */
  readonly bridge?: boolean
  /** Hidden tools are listed with an open schema. */
  readonly stubs?: boolean
  /** Requests carry the definitions of hidden tools, marked as deferred. */
  readonly declares?: boolean
  /** The model can be made to call only a tool that is listed, not one revealed otherwise. */
  readonly forcesListed?: boolean
  /** Fields and block types that an endpoint may not know. */
  readonly needs: readonly string[]
  /** The mode for an endpoint that refuses this one. */
  readonly next?: string
}

/** A request, decided but not yet written. */
export interface RequestPlan<Message> {
  readonly mode: string
  readonly model: string | undefined
  /** Absent when there is nothing to search, or when the provider's own search is used. */
  readonly searchTool?: ToolText
  /** Whether the model can search, by whichever tool. */
  readonly canSearch: boolean
  readonly callTool?: ToolText
  /** Listed in full, or as stubs, in the order to send. */
  readonly tools: readonly ToolText[]
  /** To be declared, unseen by the model until revealed. */
  readonly deferred: readonly DeferredTool[]
  /** The caller's own system prompt, in the provider's shape. */
  readonly system: unknown
  /** The block that makes hidden tools known. */
  readonly announcement?: string
  readonly messages: readonly Message[]
  /** To be appended to the conversation. */
  readonly notice?: string
  /** A tool the model is made to call. */
  readonly toolChoice?: string
}

export interface DeferredTool extends ToolText {
  readonly source: Tool['source']
}

export interface DecodedReply<Message> {
  /** The reply as messages of the history. */
  readonly messages: readonly Message[]
  /** The calls to be answered, in order. */
  readonly calls: readonly ProviderCall[]
  /** Names that the provider's own search has revealed. */
  readonly found: readonly string[]
  /** The provider wants the same messages again, with this reply, to go on. */
  readonly isPaused?: boolean
}

export interface ProviderCall {
  /** Absent where the provider has no ids; the place in the reply tells calls apart then. */
  readonly id?: string
  readonly name: string
  readonly arguments: unknown
  /** A search in a shape of its own rather than an ordinary call. */
  readonly isSearch?: boolean
}

/** What goes back for one call. */
export interface CallResult {
  readonly call: ProviderCall
  readonly text: string
  readonly isError: boolean
  /** Definitions to reveal with this result. */
  readonly reveals: readonly ToolText[]
  /** The text says no more than the revealed definitions do. */
  readonly isPlain: boolean
}

export interface RepairContext {
  readonly mode: string
  /** What the request declares as deferred. */
  readonly deferred: readonly DeferredTool[]
  /** Whether the request declares this tool as deferred, so that a reference to it resolves. */
  isDeferred(name: string): boolean
  /** Whether the request lists this tool, in full or as a stub. */
  isListed(name: string): boolean
  /** A tool that is still there, listed or deferred. */
  definition(name: string): ToolText | undefined
  /** Whether the model can search, by whichever tool. */
  readonly canSearch: boolean
  /** Whether the request carries the provider's own search tool. */
  readonly hasOwnSearch: boolean
}

export interface Repaired<Message> {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
}

/** One thing that had to be changed in a history. */
export interface Repair {
  readonly kind:
    | 'reference-to-text'
    | 'search-to-text'
    | 'change-dropped'
    | 'call-answered'
    | 'call-mended'
    | 'result-dropped'
    | 'result-moved'
    | 'duplicate-dropped'
    | 'empty-dropped'
    | 'start-added'
    | 'tool-removed'
    | 'system-moved'
    | 'namespace-changed'
    | 'reasoning-dropped'
  /** The tool or the call it was about. */
  readonly about: string
  /** The place in the given messages. */
  readonly at: number
}

export interface Collector<Reply> {
  /** Takes one event and gives the calls that are complete with it. */
  add(event: unknown): readonly ProviderCall[]
  /** The reply so far, in the shape of a whole one. */
  reply(): Reply
}
