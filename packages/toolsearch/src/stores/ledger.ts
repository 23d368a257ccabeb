import { createSerialQueue } from './serial-queue.ts'
import {
  addToRecord,
  EMPTY_RECORD,
  type LoadedTool,
  type SessionAddition,
  type SessionRecord,
} from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** How long a tool stays loaded: forever, until the history is compacted, or not at all. */
export type LoadingMode = 'sticky' | 'until-compaction' | 'none'

/** The record of an open conversation. Reads are synchronous; writes go to the store. */
export interface Ledger {
  readonly id: string
  readonly record: SessionRecord
  /** Loads tools that are not loaded yet or have changed. Resolves to the newly loaded names. */
  load(tools: readonly LoadedTool[]): Promise<readonly string[]>
  add(addition: SessionAddition): Promise<void>
  /** Reads changes made by other writers, and keeps the store from dropping the session as idle. */
  refresh(): Promise<void>
  /** Drops what the model no longer knows after its history was compacted. */
  compacted(): Promise<void>
  /** Creates a separate record for a subagent, with or without the loaded tools. */
  fork(id: string, options?: { loaded?: boolean }): Promise<Ledger>
  replace(record: SessionRecord): Promise<void>
}

export async function openLedger(
  store: SessionStore,
  id: string,
  mode: LoadingMode,
): Promise<Ledger> {
  let record = (await store.read(id)) ?? EMPTY_RECORD
  const enqueue = createSerialQueue()
  const ledger: Ledger = {
    id,
    get record() {
      return record
    },
    async load(tools) {
      if (mode === 'none' || tools.length === 0) return []
      const before = new Map(record.loaded.map((tool) => [tool.name, tool.fingerprint]))
      const changed = tools.filter((tool) => before.get(tool.name) !== tool.fingerprint)
      if (changed.length > 0) await ledger.add({ loaded: changed })
      const names = changed.filter((tool) => !before.has(tool.name)).map((tool) => tool.name)
      return [...new Set(names)]
    },
    add(addition) {
      return enqueue(id, async () => {
        const after = await store.append(id, addition)
        // the store may have dropped this session as the least recently used one
        if (record !== EMPTY_RECORD && containsOnly(after, addition)) {
          await ledger.replace(addToRecord(record, addition))
        } else record = after
      })
    },
    async refresh() {
      record = (await store.read(id)) ?? record
    },
    async compacted() {
      // the summary that replaces the history does not contain the announcements
      const { active, sent, loaded } = record
      const isSticky = mode === 'sticky'
      await ledger.replace({
        ...EMPTY_RECORD,
        active,
        loaded: isSticky ? loaded : [],
        sent: isSticky ? sent : [],
      })
    },
    async fork(forkId, { loaded = false } = {}) {
      await store.write(forkId, loaded ? record : { ...EMPTY_RECORD, active: record.active })
      return openLedger(store, forkId, mode)
    },
    async replace(next) {
      await store.write(id, next)
      record = next
    },
  }
  return ledger
}

function containsOnly(record: SessionRecord, addition: SessionAddition): boolean {
  return JSON.stringify(record) === JSON.stringify(addToRecord(EMPTY_RECORD, addition))
}
