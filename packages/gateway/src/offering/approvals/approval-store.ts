import { readFile } from 'node:fs/promises'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'
import type { DefinitionHistory, PastDefinition } from './definition-history.ts'

/** Fingerprints of approved definitions, by server and tool. */
export type Fingerprints = Map<string, Map<string, string>>

interface StoredApprovals {
  readonly fingerprints: Fingerprints
  readonly history: DefinitionHistory
}

/** Persists approvals. */
export interface ApprovalStore {
  /** Empty if nothing is stored, or if it cannot be read. */
  read(): Promise<StoredApprovals>
  /** Never rejects: approvals that cannot be stored last until the process ends. */
  write(approvals: StoredApprovals): Promise<void>
}

const FORMAT = 2
/** Version 1 had no history. */
const FIRST_FORMAT = 1

type ByServer<T> = Record<string, Record<string, T>>

/** Stores approvals in a JSON file. */
export function createApprovalStore(file: string): ApprovalStore {
  return {
    async read() {
      try {
        const { format, servers, history } = JSON.parse(await readFile(file, 'utf8'))
        if (format === FIRST_FORMAT)
          return { fingerprints: toMaps<string>(servers), history: new Map() }
        if (format !== FORMAT) return empty()
        return { fingerprints: toMaps<string>(servers), history: toMaps<PastDefinition[]>(history) }
      } catch {
        return empty()
      }
    },
    async write({ fingerprints, history }) {
      const data = { format: FORMAT, servers: toObjects(fingerprints), history: toObjects(history) }
      await atomicWrite(file, JSON.stringify(data), { mode: PRIVATE_MODE }).catch(() => {})
    },
  }
}

function empty(): StoredApprovals {
  return { fingerprints: new Map(), history: new Map() }
}

function toMaps<T>(servers: ByServer<T>): Map<string, Map<string, T>> {
  const entries = Object.entries(servers)
  return new Map(entries.map(([server, tools]) => [server, new Map(Object.entries(tools))]))
}

function toObjects<T>(servers: Map<string, Map<string, T>>): ByServer<T> {
  return Object.fromEntries(
    [...servers].map(([server, tools]) => [server, Object.fromEntries(tools)]),
  )
}
