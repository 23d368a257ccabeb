import { randomUUID } from 'node:crypto'
import { type Caller, LOCAL_CALLER } from '../identity/caller.ts'
import { createOwnedValues } from '../state/owned-values.ts'
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
export function taskKey(id: string, { person, profile }: Caller): string {
  return `${id}:${JSON.stringify([person.id, profile ?? null])}`
}

/** Keeps the records in the state that replicas share, or in memory. */
export function createTaskRecords(shared: SharedState | undefined): TaskRecords {
  const records = createOwnedValues(shared, { kind: 'task', capacity: MAX_CHARS })
  return {
    async create(record, caller = LOCAL_CALLER, ttlMs) {
      const id = randomUUID()
      const isLasting = ttlMs === undefined
      await records.set(taskKey(id, caller), JSON.stringify({ ...record, isLasting }), {
        owner: caller.person.id,
        ttlMs: isLasting ? UNKNOWN_TTL_MS : ttlMs + EXTRA_MS,
      })
      return id
    },
    async find(id, caller = LOCAL_CALLER) {
      if (!ID.test(id)) return undefined
      const key = taskKey(id, caller)
      const text = await records.get(key)
      if (text === undefined) return undefined
      const { isLasting, ...record } = JSON.parse(text) as TaskRecord & { isLasting: boolean }
      if (isLasting) await records.touch(key, UNKNOWN_TTL_MS)
      return record
    },
  }
}
