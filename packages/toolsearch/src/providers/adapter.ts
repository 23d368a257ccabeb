import { isObject } from '../is-object.ts'
import { session as checkSession } from '../options/check-option.ts'
import type { DroppedPart } from '../outputs/output-part.ts'
import type { Session, TurnOptions } from '../session/session.ts'
import type { Turn } from '../session/turn.ts'
import type { Entry } from '../transcript/entry.ts'
import { expectedIn } from '../transcript/reveal.ts'
import { lastUserText } from '../transcript/user-text.ts'
import { plannedContext, repairContext, unplannedContext } from './adapter-contexts.ts'
import { UnknownModeError, UnsupportedModeError } from './adapter-errors.ts'
import { createAdapterTools } from './adapter-tools.ts'
import { createCallHandler } from './call-handler.ts'
import { checkFormat, checkMessages, checkRequest } from './check-adapter-options.ts'
import { endpointModes } from './endpoint-modes.ts'
import { createRequestPlanner } from './plan-request.ts'
import { createPromptHead } from './prompt-head.ts'
import type { ExtraTool, Mode, Provider, ToolResult } from './provider.ts'
import type { AdapterOptions, ProviderAdapter } from './provider-adapter.ts'
import { reconcileHistory } from './reconcile-history.ts'
import { createRequestRecovery } from './request-recovery.ts'
import { findShown, type ShownTools, withExpected } from './shown-tools.ts'
import { createStep } from './step.ts'

/** @throws InvalidOptionError, UnknownModeError, UnsupportedModeError */
export function createAdapter<Message extends object, Request, Reply>(
  session: Session,
  provider: Provider<Message, Request, Reply>,
  { mode: requestedMode, model, endpoint = '', onRepair, onDrop, ...options }: AdapterOptions = {},
): ProviderAdapter<Message, Request, Reply> {
  checkSession(session, 'session')
  const extraTools = (options.extraTools ?? []) as readonly ExtraTool[]
  const tools = createAdapterTools(session, provider, extraTools)
  const { names, isExtra } = tools
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
  const currentMode = () => provider.modes[modes.current()]!
  const recovery = createRequestRecovery(provider, modes)
  const { noticeOf } = recovery
  const head = createPromptHead()
  const planRequest = createRequestPlanner({ session, provider, model, tools, noticeOf })
  /** What the model knows from the messages of the last request. */
  let shown: ShownTools = { revealed: new Set(), described: new Set() }
  const handleCalls = createCallHandler(session, {
    mode: currentMode,
    names,
    toProviderText: tools.toProviderText,
    isExtra,
    isDescribed: (name) => shown.described.has(names().toProvider(name)),
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
      const repaired = recovery.repair(messages, context)
      const before = findShown(provider, repaired.messages, mode)
      const turn = await planTurn(repaired.messages, before, mode, {
        ...(usedTokens !== undefined && { usedTokens }),
        ...(toolChoice !== undefined && !isExtra(toolChoice) && { toolChoice }),
        ...expectedText(expect, messages, provider.read),
      })
      const expected = (turn.expected ?? []).map(tools.toProviderText)
      const added = expectedIn(mode) === 'defined' ? expected : []
      shown = withExpected(
        before,
        expected.map(({ name }) => name),
        mode,
      )
      const { revealed, described } = shown
      const plan = planRequest(turn, new Set([...revealed, ...described]), mode)
      const isListChanged = head.isChanged(plan, revealed) || turn.isListExtended
      const planned = plannedContext(context, plan, isListChanged)
      const reconciled = reconcileHistory(provider, repaired, planned)
      if (reconciled.repairs.length > 0) onRepair?.(reconciled.repairs)
      return provider.encode({
        ...plan,
        system,
        messages:
          added.length > 0
            ? provider.appendTools!(reconciled.messages, added)
            : reconciled.messages,
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
      return reconcileHistory(
        provider,
        provider.repair(messages, context),
        unplannedContext(context, tools),
      )
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

  function planTurn(
    messages: readonly Message[],
    { revealed: referenced, described }: ShownTools,
    mode: Mode,
    options: TurnOptions,
  ): Promise<Turn> {
    const { reveal } = mode
    const revealed = new Set([...referenced, ...described].map(names().fromProvider))
    const { toolChoice } = options
    if (toolChoice !== undefined && mustList(toolChoice)) revealed.delete(toolChoice)
    const delaysNotice = provider.acceptsNotice?.(messages) === false
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
  messages: readonly object[],
  read: (message: object, at: number) => Entry,
): Pick<TurnOptions, 'expect'> {
  const text = expect === true ? lastUserText(messages, read) : expect
  return typeof text === 'string' ? { expect: text } : {}
}

/** The mode in which hidden tools are in the tool list, as stubs. */
function stubMode<Message extends object, Request, Reply>(
  provider: Provider<Message, Request, Reply>,
  model: string | undefined,
): string | undefined {
  const modes = Object.entries(provider.modes).filter(
    ([name]) => provider.unsupportedReason?.(name, model) === undefined,
  )
  const stubs = modes.find(([, mode]) => mode.reveal === 'stub')
  return (stubs ?? modes.find(([, mode]) => mode.reveal === 'list'))?.[0]
}

function checkMode<Message extends object, Request, Reply>(
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
