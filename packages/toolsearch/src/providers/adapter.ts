import { isObject } from '../is-object.ts'
import { session as checkSession } from '../options/check-option.ts'
import type { DroppedPart } from '../outputs/output-part.ts'
import type { Session, TurnOptions } from '../session/session.ts'
import type { Turn } from '../session/turn.ts'
import type { Entry } from '../transcript/entry.ts'
import { type KnownTools, knownTools, withExpected } from '../transcript/known-tools.ts'
import { expectedAs } from '../transcript/reveal.ts'
import { userText } from '../transcript/user-text.ts'
import { plannedContext, repairContext, unplannedContext } from './adapter-contexts.ts'
import { createAdapterTools } from './adapter-tools.ts'
import { createCallHandler } from './call-handler.ts'
import { checkFormat, checkMessages, checkRequest } from './check-adapter-options.ts'
import { chooseMode } from './choose-mode.ts'
import { endpointModes } from './endpoint-modes.ts'
import { createRequestPlanner } from './plan-request.ts'
import { createPromptHead } from './prompt-head.ts'
import type {
  ExtraTool,
  Mode,
  Provider,
  ReconcileContext,
  Repaired,
  RepairedEntries,
  ToolResult,
} from './provider.ts'
import type { AdapterOptions, ProviderAdapter } from './provider-adapter.ts'
import { createRequestRecovery } from './request-recovery.ts'
import { createStep } from './step.ts'

/** @throws InvalidOptionError, UnknownModeError, UnsupportedModeError */
export function createAdapter<Message extends object, Request, Reply>(
  session: Session,
  provider: Provider<Message, Request, Reply>,
  { mode: requested, model, endpoint = '', onRepair, onDrop, ...options }: AdapterOptions = {},
): ProviderAdapter<Message, Request, Reply> {
  checkSession(session, 'session')
  const extraTools = (options.extraTools ?? []) as readonly ExtraTool[]
  const tools = createAdapterTools(session, provider, extraTools)
  const { names, isExtra } = tools
  const modes = endpointModes(
    provider.modes,
    chooseMode({ provider, session, requested, model }),
    `${provider.name} ${endpoint} ${model ?? ''}`,
    (mode) => provider.unsupportedReason?.(mode, model) === undefined,
  )
  const currentMode = () => provider.modes[modes.current()]!
  const recovery = createRequestRecovery(provider, modes)
  const { noticeOf } = recovery
  const head = createPromptHead()
  const planRequest = createRequestPlanner({ session, provider, model, tools, noticeOf })
  /** What the model knows from the messages of the last request. */
  let known: KnownTools = { revealed: new Set(), described: new Set() }
  const handleCalls = createCallHandler(session, {
    mode: currentMode,
    names,
    toProviderText: tools.toProviderText,
    isExtra,
    isDescribed: (name) => known.described.has(names().toProvider(name)),
  })

  return {
    get mode() {
      return modes.current()
    },

    async request(options) {
      checkRequest(options, provider.checkSystem)
      const { messages, system, toolChoice, usedTokens, expect } = options
      checkFormat(messages, provider)
      if (toolChoice !== undefined) tools.checkToolChoice(toolChoice)
      const mode = currentMode()
      const context = repairContext(session, tools, mode)
      const read = messages.map(provider.read)
      const repaired = recovery.repair(read, context)
      const before = knownTools(repaired.entries, mode)
      const turn = await planTurn(repaired.entries, before, mode, {
        ...(usedTokens !== undefined && { usedTokens }),
        ...(toolChoice !== undefined && !isExtra(toolChoice) && { toolChoice }),
        ...expectedText(expect, read.at(-1)),
      })
      const expected = (turn.expected ?? []).map(tools.toProviderText)
      const added = expectedAs(mode) === 'defined' ? expected : []
      known = withExpected(
        before,
        expected.map(({ name }) => name),
        mode,
      )
      const { revealed, described } = known
      const plan = planRequest(turn, new Set([...revealed, ...described]), mode)
      const isListChanged = head.isChanged(plan, revealed) || turn.isListExtended
      const planned = plannedContext(context, plan, isListChanged)
      const fitted = reconcile(messages, repaired, planned)
      if (fitted.repairs.length > 0) onRepair?.(fitted.repairs)
      return provider.encode({
        ...plan,
        system,
        messages:
          added.length > 0 ? provider.appendTools!(fitted.messages, added) : fitted.messages,
        ...(toolChoice !== undefined && {
          toolChoice: isExtra(toolChoice) ? toolChoice : names().toProvider(toolChoice),
        }),
      })
    },

    async handle(reply) {
      const { messages, calls, found, isPaused = false } = provider.decode(reply)
      recovery.accepted()
      head.accepted()
      await session.load(found.map(names().fromProvider))
      return createStep({
        session,
        handled: await handleCalls(calls),
        shouldContinue: calls.length > 0 || isPaused,
        isNativeResult: provider.isNativeResult,
        render: (results) => [...messages, ...render(results)],
      })
    },

    collect: () => provider.collect(),

    nameOf: (tool) => names().toProvider(tool),

    rebuild(messages) {
      const { fromProvider: nameOf } = names()
      const isForeign = (message: unknown) =>
        isObject(message) && provider.recognises(message) === false
      const isMixed = Array.isArray(messages) && messages.some(isForeign)
      return session.rebuild(messages, isMixed ? { nameOf } : { nameOf, read: provider.read })
    },

    repair(messages) {
      checkMessages(messages)
      checkFormat(messages, provider)
      const context = repairContext(session, tools, currentMode())
      const repaired = provider.repair(messages.map(provider.read), context)
      return reconcile(messages, repaired, unplannedContext(context, tools))
    },

    downgrade: recovery.downgrade,
  }

  function render(results: readonly ToolResult[]): readonly Message[] {
    if (results.length === 0) return []
    const dropped: DroppedPart[] = []
    const rendered = provider.render(results, currentMode(), (part) => dropped.push(part))
    if (dropped.length > 0) onDrop?.(dropped)
    return rendered
  }

  /** The second step of a repair. Returns the same array if nothing had to change. */
  function reconcile(
    messages: readonly Message[],
    { entries, repairs }: RepairedEntries,
    context: ReconcileContext,
  ): Repaired<Message> {
    const reconciled = provider.reconcile?.(entries, context) ?? { entries, repairs: [] }
    const all = [...repairs, ...reconciled.repairs]
    if (all.length === 0) return { messages, repairs: all }
    return { messages: reconciled.entries.map(({ native }) => native as Message), repairs: all }
  }

  function planTurn(
    entries: readonly Entry[],
    { revealed: inMessages, described }: KnownTools,
    mode: Mode,
    options: TurnOptions,
  ): Promise<Turn> {
    const { reveal } = mode
    const revealed = new Set([...inMessages, ...described].map(names().fromProvider))
    const { toolChoice } = options
    if (toolChoice !== undefined && mustList(toolChoice)) revealed.delete(toolChoice)
    const delaysNotice = provider.acceptsNotice?.(entries) === false
    const { expect, ...others } = options
    return session.turn({
      ...others,
      ...(expect !== undefined && !delaysNotice && { expect }),
      appendOnly: {
        revealed,
        ...(reveal !== 'list' && { reveal }),
        ...(delaysNotice && { delaysNotice }),
      },
    })

    /** Whether a tool choice cannot force a tool as the messages show it. */
    function mustList(tool: string): boolean {
      if (reveal === 'list' || reveal === 'stub') return false
      if (reveal === 'call-tool' || !provider.forcesDeferred) return true
      return described.has(names().toProvider(tool))
    }
  }
}

function expectedText(
  expect: boolean | string | undefined,
  last: Entry | undefined,
): Pick<TurnOptions, 'expect'> {
  const text = expect === true ? last && userText(last) : expect
  return typeof text === 'string' ? { expect: text } : {}
}
