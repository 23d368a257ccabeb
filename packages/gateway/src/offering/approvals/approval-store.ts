import { readFile } from 'node:fs/promises'
import { atomicWrite, PRIVATE_MODE } from '../../system/atomic-write.ts'
import type { DefinitionHistory, PastDefinition } from './definition-history.ts'

/** Fingerprints of approved definitions, by server and tool. */
export type Marks = Map<string, Map<string, string>>

/** What is kept of definitions. */
interface KeptApprovals {
  readonly marks: Marks
  readonly history: DefinitionHistory
}

/** Where approvals are kept. */
export interface ApprovalStore {
  /** Nothing approved if there is no file, or none that can be read. */
  read(): Promise<KeptApprovals>
  /** Never rejects: what cannot be kept is asked for again. */
  write(kept: KeptApprovals): Promise<void>
}

const FORMAT = 2
/** Had no history. */
const FIRST_FORMAT = 1

type ByServer<T> = Record<string, Record<string, T>>

/** Keeps approvals in a file of JSON. */
export function createApprovalStore(file: string): ApprovalStore {
  return {
    async read() {
      try {
        const { format, servers, history } = JSON.parse(await readFile(file, 'utf8'))
        if (format === FIRST_FORMAT) return { marks: toMaps<string>(servers), history: new Map() }
        if (format !== FORMAT) return nothing()
        return { marks: toMaps<string>(servers), history: toMaps<PastDefinition[]>(history) }
      } catch {
        return nothing()
      }
    },
    async write({ marks, history }) {
      const data = { format: FORMAT, servers: toObjects(marks), history: toObjects(history) }
      await atomicWrite(file, JSON.stringify(data), { mode: PRIVATE_MODE }).catch(() => {})
    },
  }
}

function nothing(): KeptApprovals {
  return { marks: new Map(), history: new Map() }
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
