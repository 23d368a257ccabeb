import type { McpTool } from '../protocol/mcp-tool.ts'
import { fingerprint } from '../system/fingerprint.ts'

/** Keeps one copy of lists that several people's servers send. */
export interface SharedLists {
  /** An equal list that was passed before and is still in use, or the list itself. */
  share(server: string, tools: readonly McpTool[]): readonly McpTool[]
}

const NO_TOOLS: readonly McpTool[] = []

export function createSharedLists(): SharedLists {
  const lists = new Map<string, WeakRef<readonly McpTool[]>>()
  const unused = new FinalizationRegistry<string>((key) => {
    // an equal list may have come in the meantime
    if (lists.get(key)?.deref() === undefined) lists.delete(key)
  })

  return {
    share(server, tools) {
      if (tools.length === 0) return NO_TOOLS
      const key = fingerprint([server, tools])
      const known = lists.get(key)?.deref()
      if (known) return known
      lists.set(key, new WeakRef(tools))
      unused.register(tools, key)
      return tools
    },
  }
}
