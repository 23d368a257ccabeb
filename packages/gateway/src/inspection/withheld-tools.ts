import { estimateTokens, type JsonSchema, type ToolAnnotations, toolTokens } from 'toolsearch'
import { effectOf } from '../offering/effect.ts'
import { isObject } from '../protocol/json-object.ts'
import type { ToolLine } from './api.ts'
import type { Inspected } from './inspected.ts'
import { summaryOf } from './summary-of.ts'

/** Tools that are kept from models because they have changed: a person is to see them. */
export function withheldTools(
  { gateway, servers }: Pick<Inspected, 'gateway' | 'servers'>,
  names: readonly string[],
): ToolLine[] {
  const wanted = new Set(names)
  if (wanted.size === 0) return []
  return [...servers.upstreams.values()].flatMap(({ name: server, tools }) =>
    tools.flatMap((tool) => {
      const name = gateway.nameOf(server, tool.name)
      // the first server that has one of a name is the one it is taken from
      if (!wanted.delete(name)) return []
      const description = String(tool.description ?? '')
      const inputSchema = (isObject(tool.inputSchema) ? tool.inputSchema : {}) as JsonSchema
      const annotations = (isObject(tool.annotations) ? tool.annotations : {}) as ToolAnnotations
      return {
        name,
        server,
        summary: summaryOf({ description }),
        tokens: toolTokens({ name, description, inputSchema }, estimateTokens),
        effect: effectOf({ annotations }),
        isChanged: true,
        isPinned: false,
      }
    }),
  )
}
