import type { Session } from '../session/session.ts'
import type { Turn } from '../session/turn.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import { callTool } from '../tool-search/call-tool.ts'
import type { AdapterTools } from './adapter-tools.ts'
import { createDeferredTools, fitDeferred, removedToolStub } from './deferred-tools.ts'
import { fitToolLimit } from './fit-tool-limit.ts'
import { declaresDeferred, listsCallTool } from './modes.ts'
import type { DeferredTool, Mode, Provider, RequestPlan } from './provider.ts'

export interface RequestPlannerOptions {
  readonly session: Session
  readonly provider: Pick<Provider<never, never, never>, 'maxDeclared' | 'maxTools'>
  readonly model: string | undefined
  readonly tools: AdapterTools
  /** The notice to send, given the one of the turn. */
  readonly noticeOf: (notice: string | undefined) => string | undefined
}

type ToolPlan = Omit<RequestPlan<never>, 'messages' | 'system'>

/**
 * Returns a function that decides what a request contains in a mode. `revealed` has the tools that the
 * messages refer to, in the provider's names.
 */
export function createRequestPlanner({
  session,
  provider,
  model,
  tools,
  noticeOf,
}: RequestPlannerOptions): (turn: Turn, revealed: ReadonlySet<string>, mode: Mode) => ToolPlan {
  const toDeferred = createDeferredTools(tools.names)
  /** What messages refer to, because a session does not record tools that are never loaded. */
  const referenced = new Map<string, DeferredTool>()
  return (turn, revealed, mode) => {
    const hasStubs = mode.reveal === 'stub'
    tools.includeNames(turn.removedNames ?? [])
    const { textToProvider } = tools.names()
    const { searchTool, system } = turn
    const usesOurSearch = searchTool !== undefined && mode.search === 'own'
    const isBridged = usesOurSearch && listsCallTool(mode)
    const listable = turn.tools.filter((tool) => tool !== searchTool)
    const listed = fitToolLimit(
      listable,
      [...(hasStubs ? evictableStubs(listable, turn, session) : []), ...session.loaded],
      provider.maxTools - (isBridged ? 2 : 1) - tools.extraCount,
    )
    // Stubs announce the hidden tools themselves, unless some had to be left out. The text of a preset
    // with stubs explains them.
    const hasNoText = hasStubs && session.reveal !== 'stub' && listed.length === listable.length
    const isAnnounced = usesOurSearch && !hasNoText
    // The provider's own search does not tell about changes.
    const hasNotice = usesOurSearch || mode.search === 'provider'
    const notice = noticeOf(hasNotice && turn.notice ? textToProvider(turn.notice) : undefined)
    return {
      mode,
      model,
      canSearch: searchTool !== undefined,
      ...(usesOurSearch && { searchTool }),
      ...(isBridged && { callTool: callTool(searchTool.name) }),
      extraTools: tools.extra,
      tools: listed.map(tools.toProviderText),
      deferred: declaresDeferred(mode) ? planDeferred(turn, revealed, mode, listed.length) : [],
      ...(isAnnounced && system !== undefined && { announcement: textToProvider(system) }),
      ...(notice !== undefined && { notice }),
    }
  }

  function planDeferred(
    { deferred, searchTool }: Turn,
    revealed: ReadonlySet<string>,
    { reveal }: Mode,
    listedCount: number,
  ): readonly DeferredTool[] {
    // The service rejects a reference to an undeclared tool.
    const keepsRemoved = reveal === 'reference'
    // A service rejects a request in which every tool is deferred.
    const isPossible = listedCount > 0 || searchTool !== undefined
    const removed = keepsRemoved && isPossible ? findRemoved(revealed) : []
    const limit =
      (provider.maxDeclared ?? Number.POSITIVE_INFINITY) - listedCount - 1 - tools.extraCount
    const declared = deferred.map(toDeferred)
    if (keepsRemoved) {
      for (const tool of declared) if (revealed.has(tool.name)) referenced.set(tool.name, tool)
    }
    return fitDeferred([...declared, ...removed], (name) => revealed.has(name), limit)
  }

  /** Definitions of the tools that messages refer to and that no longer exist. */
  function findRemoved(revealed: ReadonlySet<string>): readonly DeferredTool[] {
    const { fromProvider, toProvider } = tools.names()
    const removed = [...revealed].filter((name) => session.tool(fromProvider(name)) === undefined)
    if (removed.length === 0) return []
    const known = new Map(session.removedTools().map((tool) => [toProvider(tool.name), tool]))
    return removed
      .filter((name) => known.has(name) || tools.canDeclareRemoved(name))
      .map((name) => {
        const tool = known.get(name) ?? referenced.get(name) ?? removedToolStub(name)
        return { ...tool, name, source: 'builtin' }
      })
  }
}

/**
 * Stubs from the end of the list, whether they are loaded or not: loading a tool must not change
 * which ones are left. The model calls the evicted ones through `call_tool`.
 */
function evictableStubs(
  listable: readonly ToolText[],
  { deferred }: Turn,
  session: Session,
): readonly string[] {
  const hidden = new Set(deferred.map((tool) => tool.name))
  const names: string[] = []
  // There can be thousands, and this runs for every request.
  for (let at = listable.length - 1; at >= 0; at -= 1) {
    const { name } = listable[at]!
    if (hidden.has(name) || session.tool(name) === undefined) names.push(name)
  }
  return names
}
