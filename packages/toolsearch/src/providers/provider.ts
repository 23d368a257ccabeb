import type { Tool } from '../catalogue/tool.ts'
import type { Check } from '../options/check-option.ts'
import type { OutputPart } from '../outputs/output-part.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Revealing } from '../transcript/reveal.ts'
import type { OnDropped } from './write-parts.ts'

/**
 * Everything the adapter needs from a provider. Messages have the provider's own shape, entries say what
 * they say, and tool names are the ones used in requests. All functions are pure: they never modify
 * their arguments, and they never throw because of what a model or a history contains.
 */
export interface Provider<Message, Request, Reply> {
  readonly name: string
  /** The supported modes by name. */
  readonly modes: Readonly<Record<string, Mode>>
  /** The tool names the provider accepts. */
  readonly acceptsName: RegExp
  /** The number of definitions one request may list. */
  readonly maxTools: number
  /**
   * The number of definitions one request may contain, listed and deferred together.
   * @default no limit for deferred definitions
   */
  readonly maxDeclared?: number
  /**
   * Whether a tool choice can force a tool that requests declare as deferred.
   * @default false
   */
  readonly forcesDeferred?: boolean
  /** The best mode for a model. */
  defaultMode(model: string | undefined): string
  /** Why a model does not support a mode; undefined if it does. */
  unsupportedReason?(mode: string, model: string | undefined): string | undefined
  /** Whether a tool choice can be a tool that only the provider knows, such as its own search. */
  mayKnowTool?(name: string): boolean
  /**
   * Whether a message has the provider's own shape. False if another provider's messages look like
   * that, undefined if it can be either.
   */
  recognises(message: object): boolean | undefined
  /** What a message says. Never throws: a history can contain anything. */
  read(message: object, at: number): Entry
  /** The names by which replies and tool choices refer to one of the caller's `extraTools`. */
  extraNames(tool: ExtraTool): readonly string[]
  /** Whether the output of a foreign call already is a result in the provider's shape. */
  isNativeResult(output: Readonly<Record<string, unknown>>): boolean
  /** Checks the caller's system prompt. */
  readonly checkSystem: Check
  encode(plan: RequestPlan<Message>): Request
  decode(reply: Reply): DecodedReply<Message>
  /**
   * The messages that answer a reply. `results` has one entry for each call in the reply. Calls
   * `onDropped` for each part of a result that the API cannot carry.
   */
  render(results: readonly ToolResult[], mode: Mode, onDropped: OnDropped): readonly Message[]
  /**
   * First step of a repair: makes the history well formed for a mode, for example by pairing calls with
   * results. It runs before the request is planned, because the plan depends on which tools the
   * repaired messages reveal. Entries that are fine stay the same objects.
   */
  repair(entries: readonly Entry[], context: RepairContext): RepairedEntries
  /**
   * Second step: adapts the history to the planned request, for example by replacing references to
   * tools that the request does not declare. Omit it if no message can refer to a definition.
   */
  reconcile?(entries: readonly Entry[], context: ReconcileContext): RepairedEntries
  /**
   * Whether a notice can be appended to these messages. Otherwise it waits for a later request.
   * @default always
   */
  acceptsNotice?(entries: readonly Entry[]): boolean
  /** Appends messages that define tools. Only called in modes that reveal tools by definition. */
  appendTools?(messages: readonly Message[], tools: readonly ToolText[]): readonly Message[]
  /**
   * Whether an error rejects the model's reasoning in the history, for example because the history
   * before it has changed. The adapter then sends the history once without it.
   * @default never
   */
  rejectsReasoning?(error: unknown): boolean
  /** The history without the model's reasoning. Only called if `rejectsReasoning` is there. */
  withoutReasoning?(entries: readonly Entry[]): RepairedEntries
  /** Assembles a streamed reply. */
  collect(): Collector<Reply>
}

/** A tool in the provider's own shape that is not in the catalogue. */
export type ExtraTool = Readonly<Record<string, unknown>>

/** How a provider leaves tools out of a request and adds them later. */
export interface Mode extends Revealing {
  /** Fields and block types that an endpoint must support. */
  readonly requires: readonly string[]
  /** The mode for endpoints that reject this one. */
  readonly fallback?: string
}

/** The content of a request before it is encoded for the provider. */
export interface RequestPlan<Message> {
  readonly mode: Mode
  readonly model: string | undefined
  /** Absent if there is nothing to search or if the provider's own search is used. */
  readonly searchTool?: ToolText
  /** Whether the model can search, with either search. */
  readonly canSearch: boolean
  readonly callTool?: ToolText
  /** The caller's own tools. They come first in the list and never change. */
  readonly extraTools: readonly ExtraTool[]
  /** Tools listed in full or as stubs, in request order. */
  readonly tools: readonly ToolText[]
  /** Tools to declare as deferred. The model does not see them until they are revealed. */
  readonly deferred: readonly DeferredTool[]
  /** The caller's system prompt, in the provider's shape. */
  readonly system: unknown
  /** The block of the system prompt that announces hidden tools. */
  readonly announcement?: string
  readonly messages: readonly Message[]
  /** A text to append to the conversation that tells the model which tools changed. */
  readonly notice?: string
  /** The tool that the model is forced to call. */
  readonly toolChoice?: string
}

export interface DeferredTool extends ToolText {
  readonly source: Tool['source']
}

export interface DecodedReply<Message> {
  /** The reply as messages for the history. */
  readonly messages: readonly Message[]
  /** The calls to answer, in order. */
  readonly calls: readonly ProviderCall[]
  /** Tools that the provider's own search found. */
  readonly found: readonly string[]
  /** The provider paused the turn: send the history with this reply again to continue. */
  readonly isPaused?: boolean
}

export interface ProviderCall {
  /** Absent if the provider has no call ids. Calls are then identified by their position. */
  readonly id?: string
  readonly name: string
  readonly arguments: unknown
  /** The provider marks this call as a search, so its name does not matter. */
  readonly isSearch?: boolean
  /** The provider marks this call as one to a tool that no catalogue has, such as its shell. */
  readonly isForeign?: boolean
  /** The call as the provider sent it. */
  readonly native: Readonly<Record<string, unknown>>
}

/** The result of one call, to be sent back to the model. */
export interface ToolResult {
  readonly call: ProviderCall
  /** The tool's own name. Absent if no tool ran. */
  readonly tool?: string
  /** The parts as text. Images and files are only named. */
  readonly text: string
  readonly parts: readonly OutputPart[]
  readonly isError: boolean
  /** Definitions to reveal with this result. */
  readonly reveals: readonly ToolText[]
  /** The revealed definitions already say everything that the text says. */
  readonly isTextRedundant: boolean
  /** The result in the provider's own shape, which is sent unchanged. */
  readonly native?: Readonly<Record<string, unknown>>
}

export interface RepairContext {
  readonly mode: Mode
  /** The definition of a tool that this conversation may use; undefined if it no longer exists. */
  definition(name: string): ToolText | undefined
}

export interface ReconcileContext extends RepairContext {
  /** The tools that the request declares as deferred. */
  readonly deferred: readonly DeferredTool[]
  /** Whether the request declares this tool as deferred. Only then does a reference resolve. */
  isDeferred(name: string): boolean
  /** Whether the request lists this tool, in full or as a stub. */
  isListed(name: string): boolean
  /** Whether listed tools or the announcement differ from earlier requests, so that the prompt changes. */
  readonly isListChanged: boolean
  /** Whether the model can search, with either search. */
  readonly canSearch: boolean
  /** Whether the request includes the provider's own search tool. */
  readonly hasProviderSearch: boolean
}

export interface RepairedEntries {
  /** Those that were not changed are the same objects. */
  readonly entries: readonly Entry[]
  readonly repairs: readonly Repair[]
}

export interface Repaired<Message> {
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
}

/** One change made to a history. */
export interface Repair {
  readonly kind:
    | 'reference-to-text'
    | 'search-to-text'
    | 'change-dropped'
    | 'call-answered'
    | 'call-fixed'
    | 'result-dropped'
    | 'result-moved'
    | 'duplicate-dropped'
    | 'empty-dropped'
    | 'start-added'
    | 'history-compacted'
    | 'tool-added'
    | 'tool-removed'
    | 'system-moved'
    | 'namespace-changed'
    | 'reasoning-dropped'
    | 'signature-added'
    | 'tools-restored'
  /** The affected tool, call or role. */
  readonly about: string
  /** The index of the affected message in the original history. */
  readonly at: number
}

export interface Collector<Reply> {
  /** Adds one event and returns the calls that it completes. */
  add(event: unknown): readonly ProviderCall[]
  /** The reply received so far, in the shape of a complete one. */
  reply(): Reply
}
