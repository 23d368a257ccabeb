import type { Tool } from '../catalogue/tool.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { DeferredTool } from './provider.ts'
import type { ProviderNames } from './provider-names.ts'

/** Declared in requests that must contain a deferred tool but have none. */
export const PLACEHOLDER_TOOL: ToolText = {
  name: 'toolsearch_placeholder',
  description: 'Placeholder. Do not call this tool.',
  inputSchema: { type: 'object', properties: {} },
}

/** Stands for a removed tool whose definition nobody remembers. */
export function removedToolStub(name: string): ToolText {
  return {
    name,
    description: 'This tool is no longer available.',
    inputSchema: { type: 'object', properties: {} },
  }
}

/**
 * Shortens the deferred tools to `limit`. Keeps those that messages refer to, because a reference to
 * an undeclared tool is an error, and then the first ones. A search can still find the others.
 */
export function fitDeferred(
  tools: readonly DeferredTool[],
  isReferenced: (name: string) => boolean,
  limit: number,
): readonly DeferredTool[] {
  if (tools.length <= limit) return tools
  const referenced = tools.filter(({ name }) => isReferenced(name))
  let room = limit - referenced.length
  return tools.filter(({ name }) => isReferenced(name) || room-- > 0).slice(0, limit)
}

/** Returns the same object for the same tool, so encoders can cache what they derive from it. */
export function createDeferredTools(names: () => ProviderNames): (tool: Tool) => DeferredTool {
  const deferredTools = new WeakMap<Tool, DeferredTool>()
  return (tool) => {
    const name = names().toProvider(tool.name)
    let deferred = deferredTools.get(tool)
    if (deferred?.name !== name) {
      deferred = { ...toolText(tool), name, source: tool.source }
      deferredTools.set(tool, deferred)
    }
    return deferred
  }
}
