import { createSerialQueue } from './serial-queue.ts'
import { SessionExistsError } from './session-exists-error.ts'
import {
  addLoaded,
  EMPTY_RECORD,
  type LoadedTool,
  type LoadResult,
  type SessionRecord,
} from './session-record.ts'
import type { SessionStore } from './session-store.ts'

/** How long a tool stays loaded: forever, until the history is compacted, or not at all. */
export type LoadingMode = 'sticky' | 'until-compaction' | 'none'

/**
 * The record of an open conversation, and the only writer to its store. Every change is one atomic
 * step on the record that the store holds, so several objects of one conversation lose nothing.
 */
export interface StoredSession {
  readonly id: string
  /** The record after the last step of this object. Others may have changed it since. */
  readonly record: SessionRecord
  /** Loads tools that are not loaded yet or have changed. */
  load(tools: readonly LoadedTool[]): Promise<LoadResult>
  /**
   * Changes the record. `change` may run more than once, the last run counts. To change nothing, it
   * returns the record it received. Also keeps the store from dropping the session as idle.
   */
  update<Result>(
    change: (record: SessionRecord) => { record: SessionRecord; result: Result },
  ): Promise<Result>
  /** Reads changes made by other writers, and keeps the store from dropping the session as idle. */
  refresh(): Promise<void>
  /** Drops what the model no longer knows after its history was compacted. */
  compacted(): Promise<void>
  /**
   * Creates a separate record for a subagent, with or without the loaded tools.
   * @throws SessionExistsError
   */
  fork(id: string, options?: { loaded?: boolean }): Promise<StoredSession>
  /** Replaces the stored record. */
  replace(record: SessionRecord): Promise<void>
}

export async function openStoredSession(
  store: SessionStore,
  id: string,
  mode: LoadingMode,
): Promise<StoredSession> {
  let record = (await store.read(id)) ?? EMPTY_RECORD
  // in order, so that `record` never returns to an earlier step
  const enqueue = createSerialQueue()
  const stored: StoredSession = {
    id,
    get record() {
      return record
    },
    async load(tools) {
      if (mode === 'none' || tools.length === 0) return { added: [], updated: [] }
      return stored.update((before) => addLoaded(before, tools))
    },
    update(change) {
      return enqueue(id, async () => {
        let latest: ReturnType<typeof change> | undefined
        const after = await store.update(id, (current) => {
          // the store may have dropped this session as the least recently used one
          const base = current ?? record
          latest = change(base)
          return latest.record === base ? current : latest.record
        })
        record = after ?? latest!.record
        return latest!.result
      })
    },
    refresh() {
      return enqueue(id, async () => {
        record = (await store.read(id)) ?? record
      })
    },
    compacted() {
      return write(({ active, searchable, sent, loaded }) => ({
        // the summary that replaces the history contains no announcements and no definitions
        ...EMPTY_RECORD,
        active,
        ...(searchable && { searchable }),
        ...(mode === 'sticky' && { sent, loaded }),
      }))
    },
    async fork(forkId, { loaded = false } = {}) {
      if (forkId === id) throw new SessionExistsError(forkId)
      await stored.refresh()
      await store.update(forkId, (existing) => {
        if (existing) throw new SessionExistsError(forkId)
        // the subagent's history has no notices that describe tools
        const { described: _, ...copied } = record
        const { active, searchable } = record
        return loaded ? copied : { ...EMPTY_RECORD, active, ...(searchable && { searchable }) }
      })
      return openStoredSession(store, forkId, mode)
    },
    replace: (next) => write(() => next),
  }
  return stored

  function write(change: (record: SessionRecord) => SessionRecord): Promise<void> {
    return stored.update((before) => ({ record: change(before), result: undefined }))
  }
}
