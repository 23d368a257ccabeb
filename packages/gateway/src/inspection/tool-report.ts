import { definitionFingerprint } from '../offering/approvals/definition-fingerprint.ts'
import { CALL, CALL_BY_EFFECT } from '../offering/meta-tools.ts'
import type { ToolAccess, ToolLine, ToolReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { InspectionTarget } from './inspection-target.ts'

/** Everything the inspector shows about one tool; `undefined` if no tool has that name. */
export function toolReport(
  target: InspectionTarget,
  { byName }: CatalogueSnapshot,
  name: string,
): ToolReport | undefined {
  const { gateway, approvals, activity } = target
  const line = byName.get(name)
  const definition = line && gateway.origin(name)?.tool
  if (!definition) return undefined
  const searchHint = gateway.toolSearch.catalogue.get(name)?.searchHint
  return {
    ...line,
    originalName: definition.name,
    definition,
    fingerprint: definitionFingerprint(definition),
    ...(searchHint !== undefined && { searchHint }),
    history: approvals.history(line.server, definition.name),
    access: accessTo(target, line),
    found: activity.timesFound(name),
    called: activity.timesCalled(name),
  }
}

function accessTo({ config, gateway, hasToken }: InspectionTarget, line: ToolLine): ToolAccess {
  const { callTools } = config()
  const callWith = callTools === 'one' ? CALL : CALL_BY_EFFECT[line.effect]
  return {
    shown: shownAs(line, gateway.toolSearch.catalogue.has(line.name)),
    ...(!line.isPinned && { callWith }),
    reach: hasToken ? 'token-holders' : 'this-machine',
  }
}

function shownAs({ isPinned }: ToolLine, isOffered: boolean): ToolAccess['shown'] {
  if (!isOffered) return 'withheld'
  return isPinned ? 'listed' : 'by-search'
}
