import type { Tool } from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { CallContext } from './meta-tools/meta-tool.ts'

/** Field that marks a tool whose definition differs from the approved one. */
export const CHANGED = 'changed_since_approval'

/** What the gateway adds to a tool's definition in its answers. */
export function toolNotes(
  tool: Tool,
  { shared, tools, config }: Pick<CallContext, 'shared' | 'tools' | 'config'>,
): JsonObject {
  const origin = tools.origin(tool.name)
  return {
    ...(config().callTools === 'by-effect' && !tool.skill && { effect: effectOf(tool) }),
    ...(origin && shared.approvalOf(origin) === 'changed' && { [CHANGED]: true }),
  }
}
