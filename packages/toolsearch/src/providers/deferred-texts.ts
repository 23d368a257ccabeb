import type { Tool } from '../catalogue/tool.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import type { DeferredTool } from './provider.ts'
import type { ProviderNames } from './provider-names.ts'

/** The same tool gives the same object, which an encoder may then know by it. */
export function createDeferredTexts(names: () => ProviderNames): (tool: Tool) => DeferredTool {
  const texts = new WeakMap<Tool, DeferredTool>()
  return (tool) => {
    const name = names().toProvider(tool.name)
    let text = texts.get(tool)
    if (text?.name !== name) {
      text = { ...toolText(tool), name, source: tool.source }
      texts.set(tool, text)
    }
    return text
  }
}
