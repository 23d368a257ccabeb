import { randomUUID } from 'node:crypto'
import { type Caller, LOCAL_CALLER } from '../identity/caller.ts'
import { createMemoryState } from '../state/memory-state.ts'
import type { SharedState } from '../state/shared-state.ts'

/** A task that a server runs for a person. */
export interface TaskRecord {
  readonly server: string
  /** The server's id of the task, which only the gateway knows. */
  readonly task: string
  /** The name of the tool, as agents see it. */
  readonly tool: string
  /** Whether the call named the tool itself instead of a call tool. */
  readonly isDirect: boolean
}

/**
 * Which tasks belong to whom. Each has an id that cannot be guessed, and is known only to the person who
 * started it, through the same profile.
 */
export interface TaskRecords {
  /**
   * Rejects if the record cannot be stored: then nobody could ask for the task.
   *
   * @param ttlMs how long the server keeps the task, if it says so
   */
  create(record: TaskRecord, caller: Caller | undefined, ttlMs: number | undefined): Promise<string>
  find(id: string, caller: Caller | undefined): Promise<TaskRecord | undefined>
}

/** For tasks that the server keeps for an unknown time: since they were last asked for. */
const UNKNOWN_TTL_MS = 24 * 3_600_000
/** A task must not disappear before its server forgets it. */
const EXTRA_MS = 60_000
const MAX_CHARS = 5_000_000
const ID = /^[\da-f-]{36}$/

/** The key of a task's record. Only the person who started it can find it, through the same profile. */
export function taskKey(kind: string, id: string, { person, profile }: Caller): string {
  return `${kind}:${id}:${JSON.stringify([person.id, profile ?? null])}`
}

/** The person in such a key. */
export function ownerOfTask(key: string): string {
  return JSON.parse(key.slice(key.indexOf('[')))[0]
}

/** Keeps the records in the state that replicas share, or in memory. */
export function createTaskRecords(shared: SharedState | undefined): TaskRecords {
  const state = shared?.isShared
    ? shared
    : createMemoryState({ capacity: MAX_CHARS, ownerOf: ownerOfTask })
  const keyOf = (id: string, caller = LOCAL_CALLER) => taskKey('task', id, caller)
  return {
    async create(record, caller, ttlMs) {
      const id = randomUUID()
      const keepMs = ttlMs === undefined ? UNKNOWN_TTL_MS : ttlMs + EXTRA_MS
      const isLasting = ttlMs === undefined
      await state.set(keyOf(id, caller), JSON.stringify({ ...record, isLasting }), keepMs)
      return id
    },
    async find(id, caller) {
      if (!ID.test(id)) return undefined
      const key = keyOf(id, caller)
      const text = await state.get(key)
      if (text === undefined) return undefined
      const { isLasting, ...record } = JSON.parse(text) as TaskRecord & { isLasting: boolean }
      if (isLasting) await state.touch(key, UNKNOWN_TTL_MS)
      return record
    },
  }
}
