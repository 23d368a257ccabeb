import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Fingerprints of approved definitions, by server and tool. */
export type Marks = Map<string, Map<string, string>>

/** Where approvals are kept. */
export interface ApprovalStore {
  /** Nothing approved if there is no file, or none that can be read. */
  read(): Promise<Marks>
  /** Never rejects: what cannot be kept is asked for again. */
  write(marks: Marks): Promise<void>
}

const FORMAT = 1

/** Keeps approvals in a file of JSON. */
export function createApprovalStore(file: string): ApprovalStore {
  return {
    async read() {
      try {
        const { format, servers } = JSON.parse(await readFile(file, 'utf8'))
        if (format !== FORMAT) return new Map()
        const entries = Object.entries(servers as Record<string, Record<string, string>>)
        return new Map(entries.map(([server, tools]) => [server, new Map(Object.entries(tools))]))
      } catch {
        return new Map()
      }
    },
    async write(marks) {
      const servers = Object.fromEntries(
        [...marks].map(([server, tools]) => [server, Object.fromEntries(tools)]),
      )
      const draft = `${file}.${randomUUID()}`
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(draft, JSON.stringify({ format: FORMAT, servers }), { mode: 0o600 })
        await rename(draft, file)
      } catch {
        await rm(draft, { force: true }).catch(() => {})
      }
    },
  }
}
