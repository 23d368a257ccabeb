import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerConfig } from '../config/gateway-config.ts'
import { atomicWrite } from '../system/atomic-write.ts'
import { cacheFolder } from '../system/data-folders.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { CommandCall } from './command.ts'

/** How long a command that answers from cached tools does not wait for a server that failed. */
const REMEMBERED_MS = 300_000

/** The servers that failed in earlier commands, so that a dead server delays only the first of them. */
export interface RecentFailures {
  /** How long ago the server failed, in milliseconds. Undefined if it did not, or long ago. */
  ageOf(server: ServerConfig): number | undefined
  /** Stores the outcome of an attempt to connect. Call `save` afterwards. */
  set(server: ServerConfig, hasFailed: boolean): void
  /** Never rejects: without the file, the next command waits for the server again. */
  save(): Promise<void>
}

export async function readRecentFailures(env: CommandCall['env']): Promise<RecentFailures> {
  const file = join(cacheFolder(env), 'failures.json')
  const failures = new Map<string, number>(await readEntries(file))
  let isChanged = false
  // Changes with the connection: an edited server is tried again.
  const keyOf = ({ name, connection }: ServerConfig) => `${name} ${fingerprint(connection)}`
  return {
    ageOf(server) {
      const at = failures.get(keyOf(server))
      const age = at === undefined ? Number.POSITIVE_INFINITY : Date.now() - at
      return age >= 0 && age < REMEMBERED_MS ? age : undefined
    },
    set(server, hasFailed) {
      isChanged ||= hasFailed || failures.has(keyOf(server))
      if (hasFailed) failures.set(keyOf(server), Date.now())
      else failures.delete(keyOf(server))
    },
    async save() {
      if (!isChanged) return
      const recent = [...failures].filter(([, at]) => Date.now() - at < REMEMBERED_MS)
      await atomicWrite(file, JSON.stringify(Object.fromEntries(recent))).catch(() => {})
    },
  }
}

async function readEntries(file: string): Promise<[string, number][]> {
  try {
    const entries = Object.entries(JSON.parse(await readFile(file, 'utf8')))
    return entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  } catch {
    return []
  }
}
