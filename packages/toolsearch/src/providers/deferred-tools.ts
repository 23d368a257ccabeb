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
