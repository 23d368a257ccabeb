import type { McpTool } from '../../protocol/mcp-tool.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import type { ApprovalStore, Marks } from './approval-store.ts'
import {
  addPast,
  type DefinitionHistory,
  mergeHistories,
  type PastDefinition,
} from './definition-history.ts'
import { definitionMark } from './definition-mark.ts'

/**
 * Which tool definitions are approved. The first definition seen of a tool is approved automatically:
 * this detects servers that change a tool later, not servers that are malicious from the start.
 */
export interface Approvals {
  /**
   * Approves the tools that are new, and records the definitions that they replace. Works in the
   * background.
   */
  see(server: string, tools: readonly McpTool[]): void
  /** Whether a definition differs from the approved one. Approves the first one of a tool. */
  isChanged(server: string, tool: McpTool): boolean
  accept(server: string, tool: McpTool): void
  /** Earlier definitions of a tool, the latest first, at most five. */
  history(server: string, tool: string): readonly PastDefinition[]
  /** Loads what other processes have accepted. */
  refresh(): Promise<void>
  /** Resolves when everything has been stored. */
  saved(): Promise<void>
}

/** Tools to process before other tasks get their turn. */
const BATCH_SIZE = 200

export async function createApprovals(
  store: ApprovalStore,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Approvals> {
  let { marks, history } = await store.read()
  /** The current definition of each tool. */
  const current = new Map<string, Map<string, McpTool>>()
  let pending: { server: string; tool: McpTool }[] = []
  // Not stored yet. In a merge, the store wins over `seen`, and `accepted` wins over the store.
  let seen: Marks = new Map()
  let accepted: Marks = new Map()
  let replaced: DefinitionHistory = new Map()
  const saves = createSerialQueue()
  let isPlanned = false

  function save(): void {
    if (isPlanned) return
    isPlanned = true
    void saves.run(async () => {
      // Collect changes that happen shortly after each other.
      await new Promise((resolve) => setTimeout(resolve, 20))
      isPlanned = false
      const [newlySeen, newlyAccepted, newlyReplaced] = [seen, accepted, replaced]
      seen = new Map()
      accepted = new Map()
      replaced = new Map()
      const before = await store.read()
      const storedMarks = merge(merge(newlySeen, before.marks), newlyAccepted)
      const storedHistory = mergeHistories(before.history, newlyReplaced)
      await store.write({ marks: storedMarks, history: storedHistory })
      // If writing failed, this process still knows them.
      marks = merge(merge(marks, storedMarks), merge(seen, accepted))
      history = mergeHistories(mergeHistories(history, storedHistory), replaced)
    })
  }

  function isChanged(server: string, tool: McpTool): boolean {
    const mark = definitionMark(tool)
    const known = marks.get(server)?.get(tool.name)
    if (known !== undefined) return known !== mark
    set(marks, server, tool.name, mark)
    set(seen, server, tool.name, mark)
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
    if (!before || before === tool || definitionMark(before) === definitionMark(tool)) return
    const past: PastDefinition = {
      replacedAt: new Date(now()).toISOString(),
      isApproved: !isChanged(server, before),
      definition: before,
    }
    for (const target of [history, replaced]) addPast(target, server, tool.name, [past])
    save()
  }

  return {
    see(server, tools) {
      if (pending.length === 0) setImmediate(processInBackground)
      for (const tool of tools) pending.push({ server, tool })
    },
    isChanged,
    accept(server, tool) {
      const mark = definitionMark(tool)
      set(marks, server, tool.name, mark)
      set(accepted, server, tool.name, mark)
      save()
    },
    history: (server, tool) => history.get(server)?.get(tool) ?? [],
    async refresh() {
      void saves.run(async () => {
        const stored = await store.read()
        // Something may have been accepted that is not stored yet.
        marks = merge(merge(marks, stored.marks), accepted)
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

function set(marks: Marks, server: string, tool: string, mark: string): void {
  const tools = marks.get(server) ?? new Map()
  marks.set(server, tools.set(tool, mark))
}

/** The second one wins where they differ. */
function merge(first: Marks, second: Marks): Marks {
  const merged: Marks = new Map([...first].map(([server, tools]) => [server, new Map(tools)]))
  for (const [server, tools] of second) {
    for (const [tool, mark] of tools) set(merged, server, tool, mark)
  }
  return merged
}
