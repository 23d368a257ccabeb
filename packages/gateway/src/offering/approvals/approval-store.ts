import { readFile } from 'node:fs/promises'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'
import type { DefinitionHistory, PastDefinition } from './definition-history.ts'

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

interface StoredApprovals {
  readonly records: ToolRecords
  readonly history: DefinitionHistory
  /** Whether new tools wait for approval. */
  readonly newWaits: boolean
}

/** Persists approvals. */
export interface ApprovalStore {
  /** Empty if nothing is stored, or if it cannot be read. */
  read(): Promise<StoredApprovals>
  /** Never rejects: approvals that cannot be stored last until the process ends. */
  write(approvals: StoredApprovals): Promise<void>
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

/** Stores approvals in a JSON file. */
export function createApprovalStore(file: string): ApprovalStore {
  return {
    async read() {
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
    },
    async write({ records, history, newWaits }) {
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
    },
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
