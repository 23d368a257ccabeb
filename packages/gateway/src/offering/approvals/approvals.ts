import type { McpTool } from '../../protocol/mcp-tool.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import type { ApprovalStore, Fingerprints } from './approval-store.ts'
import { definitionFingerprint } from './definition-fingerprint.ts'
import {
  addPast,
  type DefinitionHistory,
  mergeHistories,
  type PastDefinition,
} from './definition-history.ts'

/**
 * Which tool definitions are approved. The first definition seen of a tool is approved automatically:
 * this detects servers that change a tool later, not servers that are malicious from the start.
 */
export interface Approvals {
  /**
   * Approves tools that are new, and adds replaced definitions to the history. Works in the
   * background.
   */
  observe(server: string, tools: readonly McpTool[]): void
  /** Whether a definition differs from the approved one. Approves the first definition of a tool. */
  isChanged(server: string, tool: McpTool): boolean
  accept(server: string, tool: McpTool): void
  /** Earlier definitions of a tool, the latest first, at most five. */
  history(server: string, tool: string): readonly PastDefinition[]
  /** Loads what other processes have accepted. */
  refresh(): Promise<void>
  /** Resolves when everything has been stored. */
  saved(): Promise<void>
}

/** How many tools to process before yielding to other tasks. */
const BATCH_SIZE = 200

export async function createApprovals(
  store: ApprovalStore,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Approvals> {
  let { fingerprints, history } = await store.read()
  /** The current definition of each tool. */
  const current = new Map<string, Map<string, McpTool>>()
  let pending: { server: string; tool: McpTool }[] = []
  // Not stored yet. In a merge, the store wins over `seen`, and `accepted` wins over the store.
  let seen: Fingerprints = new Map()
  let accepted: Fingerprints = new Map()
  let replaced: DefinitionHistory = new Map()
  const saves = createSerialQueue()
  let isPlanned = false

  function save(): void {
    if (isPlanned) return
    isPlanned = true
    void saves.run(async () => {
      // Write changes in quick succession together.
      await new Promise((resolve) => setTimeout(resolve, 20))
      isPlanned = false
      const [newlySeen, newlyAccepted, newlyReplaced] = [seen, accepted, replaced]
      seen = new Map()
      accepted = new Map()
      replaced = new Map()
      const before = await store.read()
      const storedFingerprints = merge(merge(newlySeen, before.fingerprints), newlyAccepted)
      const storedHistory = mergeHistories(before.history, newlyReplaced)
      await store.write({ fingerprints: storedFingerprints, history: storedHistory })
      // Keep them in memory, in case writing failed.
      fingerprints = merge(merge(fingerprints, storedFingerprints), merge(seen, accepted))
      history = mergeHistories(mergeHistories(history, storedHistory), replaced)
    })
  }

  function isChanged(server: string, tool: McpTool): boolean {
    const fingerprint = definitionFingerprint(tool)
    const known = fingerprints.get(server)?.get(tool.name)
    if (known !== undefined) return known !== fingerprint
    set(fingerprints, server, tool.name, fingerprint)
    set(seen, server, tool.name, fingerprint)
    save()
    return false
  }

  function processInBackground(): void {
    processPending(BATCH_SIZE)
    if (pending.length > 0) setImmediate(processInBackground)
  }

  function processPending(count: number): void {
    const batch = pending.slice(0, count)
    pending = pending.slice(count)
    for (const { server, tool } of batch) {
      recordReplaced(server, tool)
      isChanged(server, tool)
    }
  }

  function recordReplaced(server: string, tool: McpTool): void {
    const tools = current.get(server) ?? new Map<string, McpTool>()
    const before = tools.get(tool.name)
    current.set(server, tools.set(tool.name, tool))
    if (!before || before === tool || definitionFingerprint(before) === definitionFingerprint(tool))
      return
    const past: PastDefinition = {
      replacedAt: new Date(now()).toISOString(),
      isApproved: !isChanged(server, before),
      definition: before,
    }
    for (const target of [history, replaced]) addPast(target, server, tool.name, [past])
    save()
  }

  return {
    observe(server, tools) {
      if (pending.length === 0) setImmediate(processInBackground)
      for (const tool of tools) pending.push({ server, tool })
    },
    isChanged,
    accept(server, tool) {
      const fingerprint = definitionFingerprint(tool)
      set(fingerprints, server, tool.name, fingerprint)
      set(accepted, server, tool.name, fingerprint)
      save()
    },
    history: (server, tool) => history.get(server)?.get(tool) ?? [],
    async refresh() {
      void saves.run(async () => {
        const stored = await store.read()
        // Something may have been accepted that is not stored yet.
        fingerprints = merge(merge(fingerprints, stored.fingerprints), accepted)
        history = mergeHistories(history, stored.history)
      })
      await saves.idle()
    },
    async saved() {
      processPending(pending.length)
      await saves.idle()
    },
  }
}

function set(fingerprints: Fingerprints, server: string, tool: string, fingerprint: string): void {
  const tools = fingerprints.get(server) ?? new Map()
  fingerprints.set(server, tools.set(tool, fingerprint))
}

/** Where both have a fingerprint for a tool, the second wins. */
function merge(first: Fingerprints, second: Fingerprints): Fingerprints {
  const merged: Fingerprints = new Map(
    [...first].map(([server, tools]) => [server, new Map(tools)]),
  )
  for (const [server, tools] of second) {
    for (const [tool, fingerprint] of tools) set(merged, server, tool, fingerprint)
  }
  return merged
}
