import type { Session, TurnOptions } from '../session/session.ts'
import type { Turn } from '../session/turn.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import { callTool } from '../tool-search/call-tool.ts'
import { MissingOutputError, UnknownModeError, UnsupportedModeError } from './adapter-errors.ts'
import { type CallOutput, createCallAnswers, outputOf, type StepCall } from './call-answers.ts'
import { createDeferredTexts } from './deferred-texts.ts'
import { endpointModes } from './endpoint-modes.ts'
import { fitToolLimit } from './fit-tool-limit.ts'
import type {
  CallResult,
  Collector,
  Mode,
  Provider,
  ProviderCall,
  Repair,
  RepairContext,
  Repaired,
  RequestPlan,
} from './provider.ts'
import { createProviderNames, type ProviderNames } from './provider-names.ts'

export type { CallOutput, StepCall } from './call-answers.ts'

/** One conversation with one provider: writes its requests and answers its searches. */
export interface ProviderAdapter<Message, Request, Reply> {
  /** The mode in use. It changes when `downgrade` lowers it. */
  readonly mode: string
  /**
   * The part of a request that has to do with tools, to be spread into the client's call. Keep its
   * messages as your history: they are repaired, and news of tools stand in them.
   */
  request(options: RequestOptions<Message>): Promise<Request>
  /** Takes a reply, whole or collected. Answers searches and calls that cannot run. */
  handle(reply: Reply): Promise<Step<Message>>
  /** Adds up the events of a streamed reply for `handle`. */
  collect(): Collector<Reply>
  /** The name that a tool travels under, where the provider refuses its own. */
  nameOf(tool: string): string
  /** Takes what is loaded from messages alone, also from another provider's. */
  rebuild(messages: readonly unknown[]): Promise<readonly string[]>
  /** Makes any history sendable, and says what it did. `request` does it by itself. */
  repair(messages: readonly Message[]): Repaired<Message>
  /**
   * Call it with an error of the client. If the endpoint has refused something this mode needs, the
   * next mode down is chosen for this endpoint and given back: write the request again.
   */
  downgrade(error: unknown): string | undefined
}

export interface RequestOptions<Message> extends Pick<TurnOptions, 'usedTokens'> {
  messages: readonly Message[]
  /** Your own system prompt, in the provider's shape. */
  system?: unknown
  /** A tool the model is made to call; it is loaded if it is hidden. */
  toolChoice?: string
}

/** What a reply asks for. */
export interface Step<Message> {
  /** The calls that are yours to run, with their names and arguments as your tools have them. */
  readonly calls: readonly StepCall[]
  /** Whether the model waits for results: make another request after this one. */
  readonly shouldContinue: boolean
  /**
   * The reply and what answers it, to be appended to the history. Takes one output for each of
   * `calls`, in their order. @throws MissingOutputError
   */
  messages(outputs?: readonly CallOutput[]): Message[]
}

export interface AdapterOptions {
  /** @default the best the provider and the model can do */
  mode?: string | undefined
  model?: string | undefined
  /**
   * What tells this endpoint from others, such as the client's base URL: modes it refuses are
   * remembered under it.
   */
  endpoint?: string | undefined
  /** Told what had to be changed in a history before it could be sent. */
  onRepair?: ((repairs: readonly Repair[]) => void) | undefined
}

/** @throws UnknownModeError, UnsupportedModeError */
export function createAdapter<Message, Request, Reply>(
  session: Session,
  provider: Provider<Message, Request, Reply>,
  { mode: wanted, model, endpoint = '', onRepair }: AdapterOptions = {},
): ProviderAdapter<Message, Request, Reply> {
  const chosen = wanted ?? provider.defaultMode(model)
  checkMode(provider, chosen, model)
  const place = `${provider.name} ${endpoint} ${model ?? ''}`
  const modes = endpointModes(
    provider.modes,
    chosen,
    place,
    (mode) => provider.refusal?.(mode, model) === undefined,
  )
  let names: ProviderNames | undefined
  let named: unknown
  const asDeferred = createDeferredTexts(providerNames)
  const { isSearch, toStepCall, answer } = createCallAnswers(session, {
    mode: () => provider.modes[modes.current()]!,
    names: providerNames,
    asSent,
  })

  return {
    get mode() {
      return modes.current()
    },

    async request({ messages, system, toolChoice, usedTokens }) {
      const name = modes.current()
      const turn = await planFor(messages, name, {
        ...(usedTokens !== undefined && { usedTokens }),
        ...(toolChoice !== undefined && { toolChoice }),
      })
      const plan = planOf(turn, name)
      const deferred = new Set(plan.deferred.map((tool) => tool.name))
      const listed = new Set(plan.tools.map((tool) => tool.name))
      const repaired = provider.repair(
        messages,
        repairContext(name, {
          deferred: plan.deferred,
          canSearch: plan.canSearch,
          isDeferred: (tool) => deferred.has(tool),
          isListed: (tool) => listed.has(tool),
        }),
      )
      if (repaired.repairs.length > 0) onRepair?.(repaired.repairs)
      return provider.encode({
        ...plan,
        system,
        messages: repaired.messages,
        ...(toolChoice !== undefined && { toolChoice: providerNames().toProvider(toolChoice) }),
      })
    },

    async handle(reply) {
      const { messages, calls, found, isPaused = false } = provider.decode(reply)
      await session.load(found.map(providerNames().fromProvider))
      const results = new Map<ProviderCall, CallResult>()
      const pending: ProviderCall[] = []
      // a call that came together with the search that finds its tool was made without the schema,
      // so calls are judged by what was loaded before
      const others = calls.filter((call) => !isSearch(call))
      for (const call of [...others, ...calls.filter(isSearch)]) {
        const result = await answer(call)
        if (result) results.set(call, result)
        else pending.push(call)
      }
      return {
        calls: pending.map(toStepCall),
        shouldContinue: calls.length > 0 || isPaused,
        messages(outputs = []) {
          if (outputs.length < pending.length) {
            throw new MissingOutputError(toStepCall(pending[outputs.length]!).name)
          }
          const all = calls.map(
            (call) => results.get(call) ?? outputOf(call, outputs[pending.indexOf(call)]),
          )
          const answers = all.length > 0 ? provider.render(all, modes.current()) : []
          return [...messages, ...answers]
        },
      }
    },

    collect: () => provider.collect(),

    nameOf: (tool) => providerNames().toProvider(tool),

    rebuild: (messages) => session.rebuild(messages, providerNames().fromProvider),

    repair: (messages) => repairFreely(messages, modes.current()),

    downgrade: (error) => modes.lower(error),
  }

  /** A tool as requests and results have it. */
  function asSent(tool: ToolText): ToolText {
    return { ...toolText(tool), name: providerNames().toProvider(tool.name) }
  }

  /** Names change only when the catalogue does. */
  function providerNames(): ProviderNames {
    const tools = session.tools()
    if (names === undefined || named !== tools) {
      names = createProviderNames(tools, provider.acceptsName)
      named = tools
    }
    return names
  }

  function planFor(
    messages: readonly Message[],
    modeName: string,
    options: TurnOptions,
  ): Promise<Turn> {
    const mode = provider.modes[modeName]!
    const { fromProvider } = providerNames()
    // what a repair takes away reveals nothing
    const known =
      mode.reveal === 'list'
        ? []
        : provider.revealed(repairFreely(messages, modeName).messages, modeName)
    const revealed = new Set([...known].map(fromProvider))
    // a choice can be forced only on a tool that the request knows of
    const mustList = mode.bridge || mode.forcesListed
    if (options.toolChoice !== undefined && mustList) revealed.delete(options.toolChoice)
    return session.turn({
      ...options,
      appendOnly: {
        revealed,
        ...(mode.reveal !== 'list' && { hiddenAs: mode.stubs ? 'stubs' : 'absent' }),
      },
    })
  }

  function planOf(turn: Turn, modeName: string): Omit<RequestPlan<Message>, 'messages' | 'system'> {
    const mode = provider.modes[modeName]!
    const { textToProvider } = providerNames()
    const { searchTool, system, notice, deferred } = turn
    const isOurs = searchTool !== undefined && mode.search === 'ours'
    const isBridged = isOurs && mode.bridge === true
    const wanted = turn.tools.filter((tool) => tool !== searchTool)
    const listed = fitToolLimit(
      wanted,
      [...stubNames(turn, mode), ...session.loaded],
      provider.maxTools - (isBridged ? 2 : 1),
    )
    // stubs make tools known by themselves, if there is room for all of them
    const isAnnounced = isOurs && (!mode.stubs || listed.length < wanted.length)
    return {
      mode: modeName,
      model,
      canSearch: searchTool !== undefined,
      ...(isOurs && { searchTool }),
      ...(isBridged && { callTool: callTool(searchTool.name) }),
      tools: listed.map(asSent),
      deferred: mode.declares ? deferred.map(asDeferred) : [],
      ...(isAnnounced && system !== undefined && { announcement: textToProvider(system) }),
      ...(isAnnounced && notice !== undefined && { notice: textToProvider(notice) }),
    }
  }

  /** Stubs of tools that are not loaded give way first, from the end of the list. */
  function stubNames({ deferred }: Turn, { stubs }: Mode): readonly string[] {
    if (!stubs) return []
    const loaded = new Set(session.loaded)
    return deferred
      .map((tool) => tool.name)
      .filter((name) => !loaded.has(name))
      .reverse()
  }

  /** Repairs without a plan: every tool that is there counts as declared. */
  function repairFreely(messages: readonly Message[], modeName: string): Repaired<Message> {
    const context = repairContext(modeName, {
      deferred: [],
      canSearch: true,
      isDeferred: (name) => context.definition(name) !== undefined,
      isListed: () => false,
    })
    return provider.repair(messages, context)
  }

  function repairContext(
    modeName: string,
    plan: Pick<RepairContext, 'deferred' | 'canSearch' | 'isDeferred' | 'isListed'>,
  ): RepairContext {
    const mode = provider.modes[modeName]!
    const { fromProvider } = providerNames()
    return {
      ...plan,
      mode: modeName,
      hasOwnSearch: plan.canSearch && mode.search === 'theirs',
      isDeferred: (name) => mode.declares === true && plan.isDeferred(name),
      definition(name) {
        const tool = session.tool(fromProvider(name))
        return tool && asSent(tool)
      },
    }
  }
}

function checkMode<Message, Request, Reply>(
  provider: Provider<Message, Request, Reply>,
  mode: string,
  model: string | undefined,
): void {
  const known = Object.keys(provider.modes)
  if (!known.includes(mode)) throw new UnknownModeError(mode, provider.name, known)
  const reason = provider.refusal?.(mode, model)
  if (reason === undefined) return
  const others = known.filter((one) => provider.refusal?.(one, model) === undefined)
  throw new UnsupportedModeError(mode, reason, others)
}
