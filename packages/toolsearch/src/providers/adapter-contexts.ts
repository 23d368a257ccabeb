import type { Session } from '../session/session.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import type { AdapterTools } from './adapter-tools.ts'
import type { Mode, ReconcileContext, RepairContext, RequestPlan } from './provider.ts'

/** For the first step of a repair. */
export function repairContext(
  session: Session,
  { names, toProviderText }: AdapterTools,
  mode: string,
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
  { search }: Mode,
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
    hasProviderSearch: canSearch && search === 'provider',
    isDeferred: (name) => deferredNames.has(name),
    isListed: (name) => listedNames.has(name),
  }
}

/** For a repair without a request: treats every existing tool as declared. */
export function unplannedContext(
  context: RepairContext,
  { canDeclareRemoved }: AdapterTools,
  { declaresDeferred, keepsRemoved, search }: Mode,
): ReconcileContext {
  const isDeclared = (name: string) =>
    context.definition(name) !== undefined || (keepsRemoved === true && canDeclareRemoved(name))
  return {
    ...context,
    deferred: [],
    canSearch: true,
    isListChanged: false,
    hasProviderSearch: search === 'provider',
    isDeferred: (name) => declaresDeferred === true && isDeclared(name),
    isListed: () => false,
  }
}
