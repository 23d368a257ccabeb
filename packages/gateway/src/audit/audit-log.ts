import { randomBytes } from 'node:crypto'
import { createSerialQueue } from '../system/serial-queue.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditStore } from './audit-store.ts'

/** Writes entries to a store in batches, and deletes old ones. */
export interface AuditLog {
  readonly store: AuditStore
  /** Adds an entry to the next batch. If the store fails, it is tried again until it works. Never throws. */
  record(entry: NewAuditEntry): void
  /** Resolves when the entry is stored. Rejects if it cannot be; the entry is then forgotten. */
  storeNow(entry: NewAuditEntry): Promise<void>
  /** Whether the last batch could be stored. True before the first one. */
  readonly isWorking: boolean
  /** Stores what waits. Resolves to whether the store works. Never rejects. */
  flush(): Promise<boolean>
  /** Stores what waits, for a bounded time, and closes the store. Never rejects. */
  close(): Promise<void>
}

/** An entry that gets its id, and the current time unless it has one, when it is recorded. */
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'> & { readonly at?: string }

export interface AuditLogOptions {
  /** How long entries are kept. Called before each clean-up, because people edit the configuration. */
  readonly days: () => number
  /** Told once when the store fails, and once when it works again. */
  readonly onProblem?: (message: string) => void
  /** Entries within this time are stored together. @default 250 */
  readonly batchMs?: number
  /** Time between two attempts while the store fails. @default 1_000 */
  readonly retryMs?: number
  /** How long `close` waits for the store. @default 3_000 */
  readonly closeMs?: number
  readonly now?: () => number
}

interface Waiting {
  readonly entry: AuditEntry
  /** Present if somebody waits for the entry. */
  readonly settle?: (error?: unknown) => void
}

const DAY_MS = 86_400_000
const PRUNE_MS = 6 * 3_600_000
/** So that a slow store gets small transactions. */
const MAX_BATCH = 1_000
/** A store that is gone must not fill the memory: beyond that, entries are lost and counted. */
const MAX_WAITING = 20_000

export function createAuditLog(store: AuditStore, options: AuditLogOptions): AuditLog {
  const { days, onProblem = () => {}, batchMs = 250, retryMs = 1_000, now = Date.now } = options
  // Several processes write to one store.
  const run = randomBytes(5).toString('hex')
  const writes = createSerialQueue()
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let isScheduled = false
  let isWorking = true
  let count = 0
  let lost = 0

  function complete(entry: NewAuditEntry): AuditEntry {
    const { at = new Date(now()).toISOString(), ...rest } = entry
    const time = Date.parse(at).toString(36).padStart(9, '0')
    return { id: `${time}-${run}-${(count++).toString(36).padStart(6, '0')}`, at, ...rest }
  }

  async function write(): Promise<void> {
    isScheduled = false
    clearTimeout(timer)
    timer = undefined
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      try {
        await store.append(batch.map(({ entry }) => entry))
      } catch (error) {
        // Those that somebody waits for are reported as failed, and must not appear later as stored.
        waiting = [...batch.filter(({ settle }) => !settle), ...waiting]
        fail(error)
        for (const { settle } of batch) settle?.(error)
        return
      }
      for (const { settle } of batch) settle?.()
      recover()
    }
  }

  function fail(error: unknown): void {
    if (isWorking) {
      onProblem(`The audit log cannot be written: ${(error as Error).message}`)
    }
    isWorking = false
    timer ??= setTimeout(schedule, retryMs).unref()
  }

  function recover(): void {
    if (isWorking) return
    isWorking = true
    const note = lost === 0 ? '' : ` ${lost} entries were lost.`
    onProblem(`The audit log can be written again.${note}`)
    if (lost === 0) return
    waiting.push({ entry: complete({ ...GATEWAY, action: 'audit.lost', detail: { lost } }) })
    lost = 0
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    void writes.run(write)
  }

  async function prune(): Promise<void> {
    await store.prune(now() - days() * DAY_MS).catch(() => {})
  }

  void prune()
  const pruning = setInterval(() => void prune(), PRUNE_MS).unref()

  const log: AuditLog = {
    store,
    record(entry) {
      if (waiting.length >= MAX_WAITING) {
        lost += 1
        return
      }
      waiting.push({ entry: complete(entry) })
      timer ??= setTimeout(schedule, batchMs).unref()
    },
    storeNow(entry) {
      return new Promise((resolve, reject) => {
        const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error))
        waiting.push({ entry: complete(entry), settle })
        // What arrives while a batch is being stored shares the next one.
        schedule()
      })
    },
    get isWorking() {
      return isWorking
    },
    async flush() {
      await writes.run(write)
      return isWorking
    },
    async close() {
      clearInterval(pruning)
      const { closeMs = 3_000 } = options
      const closed = log.flush().then(() => store.close())
      await Promise.race([
        closed.catch(() => {}),
        new Promise((resolve) => setTimeout(resolve, closeMs).unref()),
      ])
      clearTimeout(timer)
    },
  }
  return log
}

/** What the gateway itself does. */
const GATEWAY: Pick<AuditEntry, 'kind' | 'person' | 'outcome'> = {
  kind: 'admin',
  person: 'gateway',
  outcome: 'ok',
}
