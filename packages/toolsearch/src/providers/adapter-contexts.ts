import type { Session } from '../session/session.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import type { AdapterTools } from './adapter-tools.ts'
import { declaresDeferred } from './modes.ts'
import type { Mode, ReconcileContext, RepairContext, RequestPlan } from './provider.ts'

/** For the first step of a repair. */
export function repairContext(
  session: Session,
  { names, toProviderText }: AdapterTools,
  mode: Mode,
): RepairContext {
  const { fromProvider } = names()
  return {
    mode,
    definition(name) {
      const tool = session.tool(fromProvider(name))
      return tool && toProviderText(toolText(tool))
    },
  }
}

/** For the second step, with the tools of a request. */
export function plannedContext(
  context: RepairContext,
  plan: Pick<RequestPlan<unknown>, 'deferred' | 'tools' | 'canSearch'>,
  isListChanged: boolean,
): ReconcileContext {
  const { deferred, tools, canSearch } = plan
  const deferredNames = new Set(deferred.map((tool) => tool.name))
  const listedNames = new Set(tools.map((tool) => tool.name))
  return {
    ...context,
    deferred,
    canSearch,
    isListChanged,
    hasProviderSearch: canSearch && context.mode.search === 'provider',
    isDeferred: (name) => deferredNames.has(name),
    isListed: (name) => listedNames.has(name),
  }
}

/** For a repair without a request: treats every existing tool as declared. */
export function unplannedContext(
  context: RepairContext,
  { canDeclareRemoved }: AdapterTools,
): ReconcileContext {
  const { mode, definition } = context
  const isDeclared = (name: string) =>
    definition(name) !== undefined || (mode.reveal === 'reference' && canDeclareRemoved(name))
  return {
    ...context,
    deferred: [],
    canSearch: true,
    isListChanged: false,
    hasProviderSearch: mode.search === 'provider',
    isDeferred: (name) => declaresDeferred(mode) && isDeclared(name),
    isListed: () => false,
  }
}
