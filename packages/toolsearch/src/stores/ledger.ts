import {
  addToRecord,
  EMPTY_RECORD,
  type LoadedTool,
  type SessionAddition,
  type SessionRecord,
} from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** How long a tool stays loaded: for good, until the history is compacted, or not at all. */
export type LoadingMode = 'sticky' | 'until-compaction' | 'none'

/** One conversation's record in use: read at once, written through to the store. */
export interface Ledger {
  readonly id: string
  readonly record: SessionRecord
  /** Loads tools not loaded yet, or changed since. Resolves to the names that are new. */
  load(tools: readonly LoadedTool[]): Promise<readonly string[]>
  add(addition: SessionAddition): Promise<void>
  /** Reads again what others may have written, and so shows the store that it is in use. */
  refresh(): Promise<void>
  /** The history was compacted: forgets what lived only in it. */
  compacted(): Promise<void>
  /** A record of its own for a subagent, with or without what is loaded. */
  fork(id: string, options?: { loaded?: boolean }): Promise<Ledger>
  replace(record: SessionRecord): Promise<void>
}

export async function openLedger(
  store: SessionStore,
  id: string,
  mode: LoadingMode,
): Promise<Ledger> {
  let record = (await store.read(id)) ?? EMPTY_RECORD
  /** The step under way: the next one starts from where it ends. */
  let latest: Promise<void> = Promise.resolve()
  const ledger: Ledger = {
    id,
    get record() {
      return record
    },
    async load(tools) {
      if (mode === 'none' || tools.length === 0) return []
      const before = new Map(record.loaded.map((tool) => [tool.name, tool.fingerprint]))
      const fresh = tools.filter((tool) => before.get(tool.name) !== tool.fingerprint)
      if (fresh.length > 0) await ledger.add({ loaded: fresh })
      const names = fresh.filter((tool) => !before.has(tool.name)).map((tool) => tool.name)
      return [...new Set(names)]
    },
    add(addition) {
      const step = async () => {
        const after = await store.append(id, addition)
        // a store forgets the session left alone the longest, but here it is still in use
        if (record !== EMPTY_RECORD && isOnly(after, addition)) {
          await ledger.replace(addToRecord(record, addition))
        } else record = after
      }
      const added = latest.then(step, step)
      latest = added.catch(() => {})
      return added
    },
    async refresh() {
      record = (await store.read(id)) ?? record
    },
    async compacted() {
      // the summary that replaces the history does not repeat what was announced in it
      const { active, sent, loaded } = record
      const keeps = mode === 'sticky'
      await ledger.replace({
        ...EMPTY_RECORD,
        active,
        loaded: keeps ? loaded : [],
        sent: keeps ? sent : [],
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

function isOnly(record: SessionRecord, addition: SessionAddition): boolean {
  return JSON.stringify(record) === JSON.stringify(addToRecord(EMPTY_RECORD, addition))
}
