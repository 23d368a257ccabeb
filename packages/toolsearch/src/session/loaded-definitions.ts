import type { Tool } from '../catalogue/tool.ts'
import { toolFingerprint } from '../catalogue/tool-fingerprint.ts'
import { deleteOldest } from '../delete-oldest.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'

/**
 * The definitions of loaded tools, to declare a tool again after it was removed. Records name a
 * definition by its fingerprint, so conversations share this memory without learning about the tools
 * of others.
 */
export interface LoadedDefinitions {
  remember(tool: Tool): void
  /** Undefined if another process loaded the tool, or too long ago. */
  find(fingerprint: string): ToolText | undefined
}

const MAX_DEFINITIONS = 10_000

export function createLoadedDefinitions(maxSize: number = MAX_DEFINITIONS): LoadedDefinitions {
  const definitions = new Map<string, ToolText>()
  return {
    remember(tool) {
      const fingerprint = toolFingerprint(tool)
      // deleting it first makes it the most recently used entry
      definitions.delete(fingerprint)
      definitions.set(fingerprint, toolText(tool))
      deleteOldest(definitions, maxSize)
    },
    find: (fingerprint) => definitions.get(fingerprint),
  }
}
