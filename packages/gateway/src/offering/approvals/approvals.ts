import { sizeUpTo } from '../../protocol/check-size.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import { timeSlices } from '../../system/time-slices.ts'
import {
  type ApprovalStore,
  addRecords as add,
  type Decision,
  type StoredApprovals,
  setRecord as set,
  type ToolRecord,
  type ToolRecords,
} from './approval-store.ts'
import { definitionFingerprint, isEarlierFingerprint } from './definition-fingerprint.ts'
import {
  addPast,
  type DefinitionHistory,
  mergeHistories,
  type PastDefinition,
} from './definition-history.ts'

/**
 * - `approved`: the definition is the approved one
 * - `changed`: it differs from the approved one
 * - `new`: nobody has decided about the tool yet
 * - `blocked`: a person has blocked the tool, whatever its definition
 */
export type ApprovalState = 'approved' | 'changed' | 'new' | 'blocked'

/**
 * Which tool definitions are approved. Unless new tools wait, the first definition seen of a tool is
 * approved automatically: this detects servers that change a tool later, not servers that are
 * malicious from the start. After 20,000 names of one server, its further tools wait.
 */
export interface Approvals {
  /** Whether new tools wait for a person. Stored, so that it applies to other processes as well. */
  readonly newWaits: boolean
  setNewWaits(newWaits: boolean): void
  /**
   * Approves tools that are new, unless those wait, and adds replaced definitions to the history.
   * Works in the background.
   */
  observe(server: string, tools: readonly McpTool[]): void
  /** Takes note of definitions from an earlier run, so that the history contains them if they change. */
  remember(server: string, tools: readonly McpTool[]): void
  /** Approves the first definition of a tool, unless new tools wait. */
  stateOf(server: string, tool: McpTool): ApprovalState
  isBlocked(server: string, tool: string): boolean
  /** Approves a definition. Unblocks the tool. */
  accept(server: string, tool: McpTool): void
  /** Blocks a tool until it is accepted, even if it changes again. */
  block(server: string, tool: string): void
  /** Takes back the last decision about a tool. Returns false if there is none. */
  undo(server: string, tool: string): boolean
  /** The approved definition of a tool that has changed, if it is still known. */
  approvedDefinition(server: string, tool: string): McpTool | undefined
  /** Earlier definitions of a tool, the latest first, at most five. */
  history(server: string, tool: string): readonly PastDefinition[]
  /** Loads what other processes have decided. Keeps what is known if the store cannot be reached. */
  refresh(): Promise<void>
  /**
   * Resolves when everything has been stored. Rejects if the store cannot be reached: what was decided then
   * applies to this process, which tries again to store it.
   */
  saved(): Promise<void>
}

/** How many tools to process before looking at the clock. */
const BATCH_SIZE = 20
/** When to store changes again that could not be stored. */
const RETRY_MS = 1_000
/** So many tools of a server are remembered, listed or not. Whether a further one changes could not be said. */
const MAX_NAMES = 20_000
/** Of all latest definitions as JSON, about. */
const MAX_SIZE = 64_000_000

interface LatestDefinition {
  readonly server: string
  readonly tool: McpTool
  readonly size: number
}

function keyOf(server: string, tool: string): string {
  return `${server}\n${tool}`
}

export async function createApprovals(
  store: ApprovalStore,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Approvals> {
  const { records, ...stored } = await store.read()
  let { history, newWaits } = stored
  /** The latest definition of each tool. Of tools that are gone, some are kept: they may come back changed. */
  const latest = createBoundedMap<string, LatestDefinition>(MAX_SIZE, {
    sizeOf: ({ size }) => size,
    ownerOf: ({ server }) => server,
  })
  let isProcessing = false
  let pending: { server: string; tool: McpTool }[] = []
  // Not stored yet. In a merge, the store wins over `seen`, and `decided` wins over the store.
  let seen: ToolRecords = new Map()
  let decided: ToolRecords = new Map()
  /** Set by this process. Wins over the store, even if it cannot be stored. */
  let ownNewWaits: boolean | undefined
  let replaced: DefinitionHistory = new Map()
  const saves = createSerialQueue()
  let isPlanned = false
  /** Why the last changes could not be stored. */
  let failure: unknown

  function save(): void {
    if (isPlanned) return
    isPlanned = true
    void saves.run(async () => {
      // Write changes in quick succession together.
      await new Promise((resolve) => setTimeout(resolve, 20))
      isPlanned = false
      const unsaved = { seen, decided, replaced }
      seen = new Map()
      decided = new Map()
      replaced = new Map()
      let stored: StoredApprovals
      try {
        stored = await store.save({ ...unsaved, newWaits: ownNewWaits })
        failure = undefined
      } catch (error) {
        add(unsaved.seen, seen)
        add(unsaved.decided, decided)
        seen = unsaved.seen
        decided = unsaved.decided
        replaced = mergeHistories(unsaved.replaced, replaced)
        failure = error
        setTimeout(save, RETRY_MS).unref()
        return
      }
      // Keep them in memory, in case writing failed.
      for (const each of [stored.records, seen, decided]) add(records, each)
      history = mergeHistories(mergeHistories(history, stored.history), replaced)
      newWaits = ownNewWaits ?? stored.newWaits
    })
  }

  function stateOf(server: string, tool: McpTool): ApprovalState {
    const record = records.get(server)?.get(tool.name)
    if (record?.isBlocked) return 'blocked'
    if (record?.approved !== undefined) {
      const approved = definitionFingerprint(tool)
      if (record.approved === approved) return 'approved'
      if (!isEarlierFingerprint(record.approved, tool)) return 'changed'
      set(records, server, tool.name, { ...record, approved })
      set(decided, server, tool.name, { ...record, approved })
      save()
      return 'approved'
    }
    if (newWaits || (!record && (records.get(server)?.size ?? 0) >= MAX_NAMES)) return 'new'
    const approved = definitionFingerprint(tool)
    set(records, server, tool.name, { approved })
    // An undone decision is in the store without a fingerprint, and would win over `seen`.
    set(record ? decided : seen, server, tool.name, { approved })
    save()
    return 'approved'
  }

  function decide(server: string, tool: string, { before: _, ...next }: ToolRecord): void {
    const { before: __, ...before } = records.get(server)?.get(tool) ?? {}
    put(server, tool, { ...next, before })
  }

  function put(server: string, tool: string, record: ToolRecord): void {
    set(records, server, tool, record)
    set(decided, server, tool, record)
    save()
  }

  async function processInBackground(): Promise<void> {
    const slices = timeSlices()
    while (pending.length > 0) {
      processPending(BATCH_SIZE)
      await slices.next()
    }
    isProcessing = false
  }

  function processPending(count: number): void {
    const batch = pending.slice(0, count)
    pending = pending.slice(count)
    for (const { server, tool } of batch) {
      recordReplaced(server, tool)
      stateOf(server, tool)
    }
  }

  function keep(server: string, tool: McpTool): void {
    latest.set(keyOf(server, tool.name), { server, tool, size: sizeUpTo(MAX_SIZE, tool) })
  }

  function recordReplaced(server: string, tool: McpTool): void {
    const before = latest.get(keyOf(server, tool.name))?.tool
    keep(server, tool)
    if (!before || before === tool || definitionFingerprint(before) === definitionFingerprint(tool))
      return
    const past: PastDefinition = {
      replacedAt: new Date(now()).toISOString(),
      isApproved: stateOf(server, before) === 'approved',
      definition: before,
    }
    for (const target of [history, replaced]) addPast(target, server, tool.name, [past])
    save()
  }

  return {
    get newWaits() {
      return newWaits
    },
    setNewWaits(next) {
      ownNewWaits = next
      if (next === newWaits) return
      newWaits = next
      save()
    },
    observe(server, tools) {
      if (!isProcessing) setImmediate(processInBackground)
      isProcessing = true
      for (const tool of tools) pending.push({ server, tool })
    },
    remember(server, tools) {
      for (const tool of tools) keep(server, tool)
    },
    stateOf,
    isBlocked: (server, tool) => records.get(server)?.get(tool)?.isBlocked === true,
    accept(server, tool) {
      decide(server, tool.name, { approved: definitionFingerprint(tool) })
    },
    block(server, tool) {
      decide(server, tool, { ...records.get(server)?.get(tool), isBlocked: true })
    },
    undo(server, tool) {
      const before: Decision | undefined = records.get(server)?.get(tool)?.before
      if (before) put(server, tool, before)
      return before !== undefined
    },
    approvedDefinition(server, tool) {
      const approved = records.get(server)?.get(tool)?.approved
      const past = history.get(server)?.get(tool) ?? []
      return past.find(({ definition }) => definitionFingerprint(definition) === approved)
        ?.definition
    },
    history: (server, tool) => history.get(server)?.get(tool) ?? [],
    async refresh() {
      void saves.run(async () => {
        const stored = await store.read().catch(() => undefined)
        if (!stored) return
        // Something may have been decided that is not stored yet.
        for (const each of [stored.records, decided]) add(records, each)
        history = mergeHistories(history, stored.history)
        newWaits = ownNewWaits ?? stored.newWaits
      })
      await saves.idle()
    },
    async saved() {
      processPending(pending.length)
      await saves.idle()
      if (failure !== undefined) throw failure
    },
  }
}
