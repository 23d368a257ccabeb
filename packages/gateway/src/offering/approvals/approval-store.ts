import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'
import { createFolder } from '../../system/create-folder.ts'
import { timeSlices } from '../../system/time-slices.ts'
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

/** Adds changes to what is stored. */
function addChanges(stored: StoredApprovals, changes: ApprovalChanges): StoredApprovals {
  const { records, history, newWaits } = stored
  addRecords(records, changes.seen, (known) => known === undefined)
  addRecords(records, changes.decided)
  return {
    records,
    history: mergeHistories(history, changes.replaced),
    newWaits: changes.newWaits ?? newWaits,
  }
}

/** @param isReplaced whether a record is replaced. @default all are */
export function addRecords(
  target: ToolRecords,
  added: ToolRecords,
  isReplaced: (known: ToolRecord | undefined) => boolean = () => true,
): void {
  for (const [server, tools] of added) {
    for (const [tool, record] of tools) {
      if (isReplaced(target.get(server)?.get(tool))) setRecord(target, server, tool, record)
    }
  }
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
  save: async (changes) => addChanges(noApprovals(), changes),
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
        records: await toMaps<StoredRecord, ToolRecord>(servers, (record) =>
          typeof record === 'string' ? { approved: record } : record,
        ),
        history: await toMaps<PastDefinition[], PastDefinition[]>(history, (past) => past),
        newWaits,
      }
    } catch {
      return noApprovals()
    }
  }

  async function write({ records, history, newWaits }: StoredApprovals): Promise<void> {
    const servers = await toJson(
      records,
      (record): StoredRecord =>
        record.before || record.isBlocked || record.approved === undefined
          ? record
          : record.approved,
    )
    const past = await toJson(history, (definitions) => definitions)
    const text = `{"format":${FORMAT},"newWaits":${newWaits},"servers":${servers},"history":${past}}`
    await atomicWrite(file, text, { mode: PRIVATE_MODE }).catch(() => {})
  }

  return {
    read,
    async save(changes) {
      // The lock is created next to the file.
      await createFolder(dirname(file)).catch(() => {})
      return withLock(`${file}.lock.d`, async () => {
        const stored = addChanges(await read(), changes)
        await write(stored)
        return stored
      })
    },
    onChange: (listener) => watchFile(file, listener).close,
  }
}

/** Pauses, so that other work can run: there may be very many tools. */
async function toMaps<Stored, T>(
  servers: ByServer<Stored>,
  read: (value: Stored) => T,
): Promise<Map<string, Map<string, T>>> {
  const slices = timeSlices()
  const maps = new Map<string, Map<string, T>>()
  for (const [server, tools] of Object.entries(servers)) {
    const map = new Map<string, T>()
    for (const tool of Object.keys(tools)) {
      map.set(tool, read(tools[tool]!))
      await slices.next()
    }
    maps.set(server, map)
  }
  return maps
}

/** Writes an object of objects. Pauses, so that other work can run. */
async function toJson<T>(
  servers: ReadonlyMap<string, ReadonlyMap<string, T>>,
  write: (value: T) => unknown,
): Promise<string> {
  const slices = timeSlices()
  const texts: string[] = []
  for (const [server, tools] of servers) {
    const entries: string[] = []
    for (const [tool, value] of tools) {
      entries.push(`${JSON.stringify(tool)}:${JSON.stringify(write(value))}`)
      await slices.next()
    }
    texts.push(`${JSON.stringify(server)}:{${entries.join()}}`)
  }
  return `{${texts.join()}}`
}
