import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'
import { createFolder } from '../../system/create-folder.ts'
import { watchFile } from '../../system/watch-file.ts'
import { withLock } from '../../system/with-lock.ts'
import {
  type DefinitionHistory,
  mergeHistories,
  type PastDefinition,
} from './definition-history.ts'

/** What people have decided about a tool, or what was assumed when it was first seen. */
export interface ToolRecord extends Decision {
  /** What applied before the last decision of a person. Absent if there is nothing to undo. */
  readonly before?: Decision
}

export interface Decision {
  /** Fingerprint of the approved definition. */
  readonly approved?: string
  readonly isBlocked?: boolean
}

/** By server and tool. */
export type ToolRecords = Map<string, Map<string, ToolRecord>>

export interface StoredApprovals {
  readonly records: ToolRecords
  readonly history: DefinitionHistory
  /** Whether new tools wait for approval. */
  readonly newWaits: boolean
}

/** What a process adds to what is stored. */
export interface ApprovalChanges {
  /** Approved because they were new. A record that is stored already wins. */
  readonly seen: ToolRecords
  /** Decisions of people. They win over what is stored. */
  readonly decided: ToolRecords
  readonly replaced: DefinitionHistory
  /** Undefined to leave it as it is. */
  readonly newWaits?: boolean | undefined
}

/**
 * Persists approvals: in a file, or in PostgreSQL. Several processes may use it at the same time.
 * `approval-store.cases.ts` is the contract.
 */
export interface ApprovalStore {
  /** Rejects if the store cannot be reached. */
  read(): Promise<StoredApprovals>
  /**
   * Adds changes to what is stored, in one step, so that no process loses what another one decided.
   * Resolves to the result. Rejects if the changes could not be stored.
   */
  save(changes: ApprovalChanges): Promise<StoredApprovals>
  /**
   * Runs the listener after another process may have changed something. It must not reject. Returns a
   * function that stops it.
   */
  onChange(listener: () => void | Promise<void>): () => void
}

const FORMAT = 3
/** Version 1 had no history, version 2 no decisions. */
const EARLIER_FORMATS: readonly unknown[] = [1, 2]

type ByServer<T> = Record<string, Record<string, T>>

/** A record that has only a fingerprint is stored as that fingerprint. */
type StoredRecord = string | ToolRecord

export function noApprovals(): StoredApprovals {
  return { records: new Map(), history: new Map(), newWaits: false }
}

/** What is stored after changes. */
function withChanges(
  { records, history, newWaits }: StoredApprovals,
  changes: ApprovalChanges,
): StoredApprovals {
  return {
    records: mergeRecords(mergeRecords(changes.seen, records), changes.decided),
    history: mergeHistories(history, changes.replaced),
    newWaits: changes.newWaits ?? newWaits,
  }
}

/** Where both have a record of a tool, the second wins. */
export function mergeRecords(first: ToolRecords, second: ToolRecords): ToolRecords {
  const merged: ToolRecords = new Map([...first].map(([server, tools]) => [server, new Map(tools)]))
  for (const [server, tools] of second) {
    for (const [tool, record] of tools) setRecord(merged, server, tool, record)
  }
  return merged
}

export function setRecord(
  records: ToolRecords,
  server: string,
  tool: string,
  record: ToolRecord,
): void {
  const tools = records.get(server) ?? new Map()
  records.set(server, tools.set(tool, record))
}

/** Keeps nothing. */
export const NO_APPROVAL_STORE: ApprovalStore = {
  read: async () => noApprovals(),
  save: async (changes) => withChanges(noApprovals(), changes),
  onChange: () => () => {},
}

/**
 * Stores approvals in a JSON file. A file that cannot be read counts as empty, and approvals that cannot be
 * written last until the process ends.
 */
export function createApprovalStore(file: string): ApprovalStore {
  async function read(): Promise<StoredApprovals> {
    try {
      const stored = JSON.parse(await readFile(file, 'utf8'))
      const { format, servers, history = {}, newWaits = false } = stored
      if (format !== FORMAT && !EARLIER_FORMATS.includes(format)) return noApprovals()
      return {
        records: toMaps<StoredRecord, ToolRecord>(servers, (record) =>
          typeof record === 'string' ? { approved: record } : record,
        ),
        history: toMaps<PastDefinition[], PastDefinition[]>(history, (past) => past),
        newWaits,
      }
    } catch {
      return noApprovals()
    }
  }

  async function write({ records, history, newWaits }: StoredApprovals): Promise<void> {
    const data = {
      format: FORMAT,
      newWaits,
      servers: toObjects<ToolRecord, StoredRecord>(records, (record) =>
        record.before || record.isBlocked || record.approved === undefined
          ? record
          : record.approved,
      ),
      history: toObjects(history, (past) => past),
    }
    await atomicWrite(file, JSON.stringify(data), { mode: PRIVATE_MODE }).catch(() => {})
  }

  return {
    read,
    async save(changes) {
      // The lock is created next to the file.
      await createFolder(dirname(file)).catch(() => {})
      return withLock(`${file}.lock.d`, async () => {
        const stored = withChanges(await read(), changes)
        await write(stored)
        return stored
      })
    },
    onChange: (listener) => watchFile(file, listener).close,
  }
}

function toMaps<Stored, T>(
  servers: ByServer<Stored>,
  read: (value: Stored) => T,
): Map<string, Map<string, T>> {
  const entries = Object.entries(servers)
  return new Map(
    entries.map(([server, tools]) => [
      server,
      new Map(Object.entries(tools).map(([tool, value]) => [tool, read(value)])),
    ]),
  )
}

function toObjects<T, Stored>(
  servers: Map<string, Map<string, T>>,
  write: (value: T) => Stored,
): ByServer<Stored> {
  return Object.fromEntries(
    [...servers].map(([server, tools]) => [
      server,
      Object.fromEntries([...tools].map(([tool, value]) => [tool, write(value)])),
    ]),
  )
}
