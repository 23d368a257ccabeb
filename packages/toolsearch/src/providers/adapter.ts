import { session as checkSession, fail } from '../options/check-option.ts'
import type { DroppedPart } from '../outputs/output-part.ts'
import { closestNames } from '../ranking/closest-names.ts'
import type { Session, TurnOptions } from '../session/session.ts'
import type { Turn } from '../session/turn.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import { CALL_TOOL_NAME, callTool } from '../tool-search/call-tool.ts'
import { UnknownModeError, UnsupportedModeError } from './adapter-errors.ts'
import { createCallHandler } from './call-handler.ts'
import { checkFormat, checkMessages, checkRequest } from './check-adapter-options.ts'
import { createDeferredTools, fitDeferred, removedToolStub } from './deferred-tools.ts'
import { endpointModes } from './endpoint-modes.ts'
import { fitToolLimit } from './fit-tool-limit.ts'
import type {
  Collector,
  DeferredTool,
  ExtraTool,
  IndexedRepair,
  Mode,
  Provider,
  ReconcileContext,
  Repair,
  RepairContext,
  Repaired,
  RequestPlan,
  ToolResult,
} from './provider.ts'
import { createProviderNames, type ProviderNames } from './provider-names.ts'
import { reconcileHistory } from './reconcile-history.ts'
import { createStep, type Step } from './step.ts'

/** Connects one session to one provider: builds the requests and answers the searches. */
export interface ProviderAdapter<Message, Request, Reply> {
  /** The current mode. `downgrade` can change it. */
  readonly mode: string
  /**
   * The tool-related part of a request, to spread into the client's call. Keep its messages as your
   * history: they are repaired, and they include notices about changed tools.
   * @throws InvalidOptionError, ForeignMessagesError if no message has the provider's shape
   */
  request(options: RequestOptions<Message>): Promise<Request>
  /**
   * Processes a complete or collected reply: answers searches and calls that cannot run.
   * @throws InvalidReplyError if the value is not a reply of this provider
   */
  handle(reply: Reply): Promise<Step<Message>>
  /** Assembles the events of a streamed reply for `handle`. */
  collect(): Collector<Reply>
  /** The name that requests use for a tool: its own name, or a replacement if the provider rejects it. */
  nameOf(tool: string): string
  /** Restores the loaded tools from messages alone, including another provider's messages. */
  rebuild(messages: readonly unknown[]): Promise<readonly string[]>
  /** Makes any history valid and reports the changes. `request` already does this. */
  repair(messages: readonly Message[]): Repaired<Message>
  /**
   * Call it with an error from the client. If the endpoint rejected a feature that the mode requires,
   * this switches to the fallback mode, remembers it for the endpoint and returns its name: build
   * the request again. If the service rejected the model's earlier reasoning because the history
   * before it has changed, this returns the current mode, and the next request leaves the reasoning
   * out; it does so once for each reply. Returns undefined for any other error.
   */
  downgrade(error: unknown): string | undefined
}

export interface RequestOptions<Message> extends Pick<TurnOptions, 'usedTokens'> {
  messages: readonly Message[]
  /** Your system prompt, in the provider's shape. */
  system?: unknown
  /** A tool the model must call. It is loaded if it is hidden. */
  toolChoice?: string
}

export interface AdapterOptions {
  /** @default the best mode that the provider and the model support; `stub` for a preset with stubs */
  mode?: string | undefined
  model?: string | undefined
  /**
   * Identifies the endpoint, for example by the client's base URL. Modes that an endpoint rejects
   * are remembered per endpoint.
   */
  endpoint?: string | undefined
  /** Called with the changes that were needed before a history could be sent. */
  onRepair?: ((repairs: readonly Repair[]) => void) | undefined
  /**
   * Called with the parts of tool results that the provider does not accept, such as audio, each time
   * `step.run` or `step.messages` writes them. The model gets a text that names them.
   */
  onDrop?: ((dropped: readonly DroppedPart[]) => void) | undefined
  /**
   * Tools in the provider's own shape that are not in the catalogue: the provider's tools, such as web
   * search or a shell, and functions that you always list. They come first in every request, and
   * calls to them appear in `step.calls` with `isForeign`.
   * @default []
   */
  extraTools?: readonly object[] | undefined
}

/** @throws InvalidOptionError, UnknownModeError, UnsupportedModeError */
export function createAdapter<Message, Request, Reply>(
  session: Session,
  provider: Provider<Message, Request, Reply>,
  { mode: requestedMode, model, endpoint = '', onRepair, onDrop, ...options }: AdapterOptions = {},
): ProviderAdapter<Message, Request, Reply> {
  checkSession(session, 'session')
  const extraTools = (options.extraTools ?? []) as readonly ExtraTool[]
  const extraNames = new Set(extraTools.flatMap((tool) => provider.extraNames(tool)))
  // One of them can declare several tools.
  const extraCount = Math.max(extraTools.length, extraNames.size)
  const reserved = [session.searchTool.name, CALL_TOOL_NAME].find((name) => extraNames.has(name))
  if (reserved)
    fail(reserved, 'extraTools', 'use another name: toolsearch lists a tool of this name')
  // the other modes leave hidden tools out, but the preset's prompt says that they are listed
  const listing = session.listsStubs ? stubMode(provider, model) : undefined
  const chosen = requestedMode ?? listing ?? provider.defaultMode(model)
  checkMode(provider, chosen, model)
  const modes = endpointModes(
    provider.modes,
    chosen,
    `${provider.name} ${endpoint} ${model ?? ''}`,
    (mode) => provider.unsupportedReason?.(mode, model) === undefined,
  )
  let names: ProviderNames | undefined
  let namedTools: unknown
  /** Includes the names of removed tools, because announcements and messages repeat them. */
  const renamed = new Set<string>()
  const toDeferred = createDeferredTools(providerNames)
  /** What messages refer to, because a session does not record tools that are never loaded. */
  const referenced = new Map<string, DeferredTool>()
  let recovery: 'ready' | 'next-request' | 'used' = 'ready'
  /** The notice of the last request, and whether the next one must repeat it. */
  const lastNotice: { text?: string | undefined; isRejected: boolean } = { isRejected: false }
  const handleCalls = createCallHandler(session, {
    mode: () => provider.modes[modes.current()]!,
    names: providerNames,
    toProviderText,
    isExtra: (name) => extraNames.has(name),
  })

  return {
    get mode() {
      return modes.current()
    },

    async request(options) {
      checkRequest(options, provider.checkSystem)
      const { messages, system, toolChoice, usedTokens } = options
      checkFormat(messages, provider)
      if (toolChoice !== undefined) checkToolChoice(toolChoice)
      const mode = modes.current()
      const context = repairContext(mode)
      const repaired = repairHistory(messages, context)
      const revealed = revealedNames(repaired.messages, mode)
      const turn = await planTurn(repaired.messages, revealed, mode, {
        ...(usedTokens !== undefined && { usedTokens }),
        ...(toolChoice !== undefined && !extraNames.has(toolChoice) && { toolChoice }),
      })
      const plan = planRequest(turn, revealed, mode)
      const planned = plannedContext(context, plan, turn.isListExtended)
      const reconciled = reconcileHistory(provider, repaired, planned)
      if (reconciled.repairs.length > 0) onRepair?.(reconciled.repairs)
      return provider.encode({
        ...plan,
        system,
        messages: reconciled.messages,
        ...(toolChoice !== undefined && {
          toolChoice: extraNames.has(toolChoice)
            ? toolChoice
            : providerNames().toProvider(toolChoice),
        }),
      })
    },

    async handle(reply) {
      const { messages, calls, found, isPaused = false } = provider.decode(reply, modes.current())
      recovery = 'ready'
      lastNotice.text = undefined
      await session.load(found.map(providerNames().fromProvider))
      return createStep({
        session,
        handled: await handleCalls(calls),
        shouldContinue: calls.length > 0 || isPaused,
        isNativeResult: provider.isNativeResult,
        render: (results) => [...messages, ...render(results)],
      })
    },

    collect: () => provider.collect(),

    nameOf: (tool) => providerNames().toProvider(tool),

    rebuild: (messages) => session.rebuild(messages, providerNames().fromProvider),

    repair(messages) {
      checkMessages(messages)
      checkFormat(messages, provider)
      const context = repairContext(modes.current())
      return reconcileHistory(
        provider,
        provider.repair(messages, context),
        unplannedContext(context),
      )
    },

    downgrade(error) {
      const mode = provider.rejectsReasoning?.(error) ? recover() : modes.downgrade(error)
      lastNotice.isRejected = mode !== undefined
      return mode
    },
  }

  function recover(): string | undefined {
    if (recovery !== 'ready') return undefined
    recovery = 'next-request'
    return modes.current()
  }

  function repairHistory(
    messages: readonly Message[],
    context: RepairContext,
  ): IndexedRepair<Message> {
    if (recovery !== 'next-request') return provider.repair(messages, context)
    recovery = 'used'
    const cleaned = provider.withoutReasoning?.(messages) ?? { messages, repairs: [] }
    const repaired = provider.repair(cleaned.messages, context)
    return { ...repaired, repairs: [...cleaned.repairs, ...repaired.repairs] }
  }

  /** The notice of this request, after that of a rejected one. */
  function noticeOf(notice: string | undefined): string | undefined {
    const earlier = lastNotice.isRejected ? lastNotice.text : undefined
    const text = [earlier, notice].filter(Boolean).join('\n\n') || undefined
    Object.assign(lastNotice, { text, isRejected: false })
    return text
  }

  function render(results: readonly ToolResult[]): readonly Message[] {
    if (results.length === 0) return []
    const dropped: DroppedPart[] = []
    const rendered = provider.render(results, modes.current(), (part) => dropped.push(part))
    if (dropped.length > 0) onDrop?.(dropped)
    return rendered
  }

  /** A provider rejects a request that forces a tool it does not list. */
  function checkToolChoice(name: string): void {
    const isOwn = name === session.searchTool.name || name === CALL_TOOL_NAME
    if (isOwn || extraNames.has(name) || session.tool(name) || provider.mayKnowTool?.(name)) return
    const closest = closestNames(name, session.tools())
    const hint = closest.length > 0 ? `. Similar names: ${closest.join(', ')}` : ''
    fail(name, 'toolChoice', `use the name of a tool in the catalogue or in extraTools${hint}`)
  }

  /** The definition with the name that requests use for the tool. */
  function toProviderText(tool: ToolText): ToolText {
    const name = providerNames().toProvider(tool.name)
    return name === tool.name ? tool : { ...tool, name }
  }

  /** Names change only when the catalogue does, so they are computed once per tool list. */
  function providerNames(): ProviderNames {
    const tools = session.tools()
    if (names === undefined || namedTools !== tools) {
      const gone = [...renamed, ...session.removedTools().map(({ name }) => name)]
        .filter((name) => session.tool(name) === undefined)
        .map((name) => ({ name }))
      const isExtra = (name: string) => extraNames.has(name)
      const current = createProviderNames([...tools, ...gone], provider.acceptsName, isExtra)
      for (const { name } of tools) if (current.toProvider(name) !== name) renamed.add(name)
      names = current
      namedTools = tools
    }
    return names
  }

  /** In the provider's names. */
  function revealedNames(messages: readonly Message[], mode: string): ReadonlySet<string> {
    return provider.modes[mode]!.reveal === 'list' ? new Set() : provider.revealed(messages, mode)
  }

  function planTurn(
    messages: readonly Message[],
    names: ReadonlySet<string>,
    modeName: string,
    options: TurnOptions,
  ): Promise<Turn> {
    const mode = provider.modes[modeName]!
    const revealed = new Set([...names].map(providerNames().fromProvider))
    // In these modes, a tool choice can only force a tool that the request lists.
    const mustList = (mode.bridge && !mode.stubs) || mode.forcesOnlyListed
    if (options.toolChoice !== undefined && mustList) revealed.delete(options.toolChoice)
    const delaysNotice = provider.acceptsNotice?.(messages) === false
    return session.turn({
      ...options,
      appendOnly: {
        revealed,
        ...(mode.reveal !== 'list' && { hiddenAs: mode.stubs ? 'stubs' : 'absent' }),
        ...(delaysNotice && { delaysNotice }),
      },
    })
  }

  function planRequest(
    turn: Turn,
    revealed: ReadonlySet<string>,
    modeName: string,
  ): Omit<RequestPlan<Message>, 'messages' | 'system'> {
    const mode = provider.modes[modeName]!
    const { textToProvider } = providerNames()
    const { searchTool, system } = turn
    const usesOurSearch = searchTool !== undefined && mode.search === 'toolsearch'
    const isBridged = usesOurSearch && mode.bridge === true
    const listable = turn.tools.filter((tool) => tool !== searchTool)
    const listed = fitToolLimit(
      listable,
      [...(mode.stubs ? evictableStubs(listable, turn) : []), ...session.loaded],
      provider.maxTools - (isBridged ? 2 : 1) - extraCount,
    )
    // Stubs announce the hidden tools themselves, unless some had to be left out. The text of a preset
    // with stubs explains them.
    const hasNoText = mode.stubs && !session.listsStubs && listed.length === listable.length
    const isAnnounced = usesOurSearch && !hasNoText
    // The provider's own search does not tell about changes.
    const hasNotice = usesOurSearch || mode.search === 'provider'
    const notice = noticeOf(hasNotice && turn.notice ? textToProvider(turn.notice) : undefined)
    return {
      mode: modeName,
      model,
      canSearch: searchTool !== undefined,
      ...(usesOurSearch && { searchTool }),
      ...(isBridged && { callTool: callTool(searchTool.name) }),
      extraTools,
      tools: listed.map(toProviderText),
      deferred: mode.declaresDeferred ? planDeferred(turn, revealed, mode, listed.length) : [],
      ...(isAnnounced && system !== undefined && { announcement: textToProvider(system) }),
      ...(notice !== undefined && { notice }),
    }
  }

  function planDeferred(
    { deferred, searchTool }: Turn,
    revealed: ReadonlySet<string>,
    { keepsRemoved = false }: Mode,
    listedCount: number,
  ): readonly DeferredTool[] {
    // A service rejects a request in which every tool is deferred.
    const isPossible = listedCount > 0 || searchTool !== undefined
    const removed = keepsRemoved && isPossible ? findRemoved(revealed) : []
    const limit = (provider.maxDeclared ?? Number.POSITIVE_INFINITY) - listedCount - 1 - extraCount
    const declared = deferred.map(toDeferred)
    if (keepsRemoved) {
      for (const tool of declared) if (revealed.has(tool.name)) referenced.set(tool.name, tool)
    }
    return fitDeferred([...declared, ...removed], (name) => revealed.has(name), limit)
  }

  /** Definitions of the tools that messages refer to and that no longer exist. */
  function findRemoved(revealed: ReadonlySet<string>): readonly DeferredTool[] {
    const { fromProvider, toProvider } = providerNames()
    const gone = [...revealed].filter((name) => session.tool(fromProvider(name)) === undefined)
    if (gone.length === 0) return []
    const known = new Map(session.removedTools().map((tool) => [toProvider(tool.name), tool]))
    return gone
      .filter((name) => known.has(name) || isStubPossible(name))
      .map((name) => {
        const tool = known.get(name) ?? referenced.get(name) ?? removedToolStub(name)
        return { ...tool, name, source: 'builtin' }
      })
  }

  function isStubPossible(name: string): boolean {
    const isOwn = name === session.searchTool.name || name === CALL_TOOL_NAME
    const isTaken = isOwn || extraNames.has(name) || provider.mayKnowTool?.(name) === true
    return !isTaken && provider.acceptsName.test(name)
  }

  /**
   * Stubs from the end of the list, whether they are loaded or not: loading a tool must not change
   * which ones are left. The model calls the evicted ones through `call_tool`.
   */
  function evictableStubs(listable: readonly ToolText[], { deferred }: Turn): readonly string[] {
    const hidden = new Set(deferred.map((tool) => tool.name))
    const names: string[] = []
    // There can be thousands, and this runs for every request.
    for (let at = listable.length - 1; at >= 0; at -= 1) {
      const { name } = listable[at]!
      if (hidden.has(name) || session.tool(name) === undefined) names.push(name)
    }
    return names
  }

  function repairContext(mode: string): RepairContext {
    const { fromProvider } = providerNames()
    return {
      mode,
      definition(name) {
        const tool = session.tool(fromProvider(name))
        return tool && toProviderText(toolText(tool))
      },
    }
  }

  function plannedContext(
    context: RepairContext,
    { deferred, tools, canSearch }: Pick<RequestPlan<Message>, 'deferred' | 'tools' | 'canSearch'>,
    isListExtended: boolean,
  ): ReconcileContext {
    const deferredNames = new Set(deferred.map((tool) => tool.name))
    const listedNames = new Set(tools.map((tool) => tool.name))
    return {
      ...context,
      deferred,
      canSearch,
      isListExtended,
      hasProviderSearch: canSearch && provider.modes[context.mode]!.search === 'provider',
      isDeferred: (name) => deferredNames.has(name),
      isListed: (name) => listedNames.has(name),
    }
  }

  /** For a repair without a request: treats every existing tool as declared. */
  function unplannedContext(context: RepairContext): ReconcileContext {
    const { declaresDeferred, keepsRemoved, search } = provider.modes[context.mode]!
    const isDeclared = (name: string) =>
      context.definition(name) !== undefined || (keepsRemoved === true && isStubPossible(name))
    return {
      ...context,
      deferred: [],
      canSearch: true,
      isListExtended: false,
      hasProviderSearch: search === 'provider',
      isDeferred: (name) => declaresDeferred === true && isDeclared(name),
      isListed: () => false,
    }
  }
}

/** The mode in which hidden tools are in the tool list, as stubs. */
function stubMode<Message, Request, Reply>(
  provider: Provider<Message, Request, Reply>,
  model: string | undefined,
): string | undefined {
  const modes = Object.entries(provider.modes).filter(
    ([name]) => provider.unsupportedReason?.(name, model) === undefined,
  )
  const stubs = modes.find(([, mode]) => mode.stubs)
  return (stubs ?? modes.find(([, mode]) => mode.reveal === 'list'))?.[0]
}

function checkMode<Message, Request, Reply>(
  provider: Provider<Message, Request, Reply>,
  mode: string,
  model: string | undefined,
): void {
  const known = Object.keys(provider.modes)
  if (!known.includes(mode)) throw new UnknownModeError(mode, provider.name, known)
  const reason = provider.unsupportedReason?.(mode, model)
  if (reason === undefined) return
  const supported = known.filter((name) => provider.unsupportedReason?.(name, model) === undefined)
  throw new UnsupportedModeError(mode, reason, supported)
}
