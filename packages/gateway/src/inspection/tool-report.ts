import { definitionMark } from '../offering/approvals/definition-mark.ts'
import { CALL, CALL_BY_EFFECT } from '../offering/meta-tools.ts'
import type { ToolAccess, ToolLine, ToolReport } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { Inspected } from './inspected.ts'
import { originalOf } from './original-of.ts'

/** All that is known of one tool; nothing if there is none of that name. */
export function toolReport(
  inspected: Inspected,
  { byName }: CatalogueSnapshot,
  name: string,
): ToolReport | undefined {
  const line = byName.get(name)
  const definition = line && originalOf(inspected, line)
  if (!definition) return undefined
  const { gateway, approvals, activity } = inspected
  const searchHint = gateway.toolSearch.catalogue.get(name)?.searchHint
  return {
    ...line,
    originalName: definition.name,
    definition,
    mark: definitionMark(definition),
    ...(searchHint !== undefined && { searchHint }),
    history: approvals.history(line.server, definition.name),
    access: accessTo(inspected, line),
    found: activity.timesFound(name),
    called: activity.timesCalled(name),
  }
}

function accessTo({ config, hasToken }: Inspected, line: ToolLine): ToolAccess {
  const { pinDefinitions, callTools } = config()
  const callWith = callTools === 'one' ? CALL : CALL_BY_EFFECT[line.effect]
  return {
    shown: shownAs(line, pinDefinitions),
    ...(!line.isPinned && { callWith }),
    reach: hasToken ? 'who-has-the-token' : 'this-machine',
  }
}

function shownAs({ isChanged, isPinned }: ToolLine, pinDefinitions: boolean): ToolAccess['shown'] {
  if (isChanged && pinDefinitions) return 'withheld'
  return isPinned ? 'listed' : 'by-search'
}
