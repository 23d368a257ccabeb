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
 * Which definitions of tools were approved. What is seen for the first time is approved: it is a
 * change behind somebody's back that is to be found, not a server that was bad from the start.
 */
export interface Approvals {
  /**
   * Approves those among the tools of a server that were never seen, and keeps what is replaced.
   * Takes its time.
   */
  see(server: string, tools: readonly McpTool[]): void
  /** Whether a definition is another than the approved one. Approves one that was never seen. */
  isChanged(server: string, tool: McpTool): boolean
  accept(server: string, tool: McpTool): void
  /** Definitions that a tool had before, as far as they were seen: latest first, five at most. */
  history(server: string, tool: string): readonly PastDefinition[]
  /** Hears of what was accepted elsewhere. */
  refresh(): Promise<void>
  /** Settles when everything is kept. */
  saved(): Promise<void>
}

const AT_ONCE = 200

/** Starts with what the store has. */
export async function createApprovals(
  store: ApprovalStore,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Approvals> {
  let { marks, history } = await store.read()
  /** The latest definition of each tool in this run. */
  const latest = new Map<string, Map<string, McpTool>>()
  let unseen: { server: string; tool: McpTool }[] = []
  // not kept yet: what was seen gives way to what others have kept, what was accepted does not
  let seen: Marks = new Map()
  let accepted: Marks = new Map()
  let replaced: DefinitionHistory = new Map()
  const saves = createSerialQueue()
  let isPlanned = false

  function save(): void {
    if (isPlanned) return
    isPlanned = true
    void saves.run(async () => {
      // so that what comes at once is kept at once
      await new Promise((resolve) => setTimeout(resolve, 20))
      isPlanned = false
      const [firsts, news, past] = [seen, accepted, replaced]
      seen = new Map()
      accepted = new Map()
      replaced = new Map()
      const before = await store.read()
      const kept = merge(merge(firsts, before.marks), news)
      const keptHistory = mergeHistories(before.history, past)
      await store.write({ marks: kept, history: keptHistory })
      // what could not be kept is still known here
      marks = merge(merge(marks, kept), merge(seen, accepted))
      history = mergeHistories(mergeHistories(history, keptHistory), replaced)
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

  /** Thousands take a while, and nobody waits for this: others have their turn in between. */
  function lookOn(): void {
    look(AT_ONCE)
    if (unseen.length > 0) setImmediate(lookOn)
  }

  function look(count: number): void {
    const [turn, later] = [unseen.slice(0, count), unseen.slice(count)]
    unseen = later
    for (const { server, tool } of turn) {
      keepReplaced(server, tool)
      isChanged(server, tool)
    }
  }

  function keepReplaced(server: string, tool: McpTool): void {
    const tools = latest.get(server) ?? new Map<string, McpTool>()
    const before = tools.get(tool.name)
    latest.set(server, tools.set(tool.name, tool))
    if (!before || before === tool || definitionMark(before) === definitionMark(tool)) return
    const past: PastDefinition = {
      replacedAt: new Date(now()).toISOString(),
      isApproved: !isChanged(server, before),
      definition: before,
    }
    for (const one of [history, replaced]) addPast(one, server, tool.name, [past])
    save()
  }

  return {
    see(server, tools) {
      if (unseen.length === 0) setImmediate(lookOn)
      for (const tool of tools) unseen.push({ server, tool })
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
        const kept = await store.read()
        // what was accepted meanwhile is not kept yet
        marks = merge(merge(marks, kept.marks), accepted)
        history = mergeHistories(history, kept.history)
      })
      await saves.idle()
    },
    async saved() {
      look(unseen.length)
      await saves.idle()
    },
  }
}

function set(marks: Marks, server: string, tool: string, mark: string): void {
  const tools = marks.get(server) ?? new Map()
  marks.set(server, tools.set(tool, mark))
}

/** Both; where they differ, the second. */
function merge(one: Marks, other: Marks): Marks {
  const both: Marks = new Map([...one].map(([server, tools]) => [server, new Map(tools)]))
  for (const [server, tools] of other) {
    for (const [tool, mark] of tools) set(both, server, tool, mark)
  }
  return both
}
