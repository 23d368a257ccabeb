import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Report } from '../system/report.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { type AuditEntry, endId } from './audit-entry.ts'
import type { AuditReader, AuditStore } from './audit-store.ts'

/** Writes entries to a store in batches, and deletes old ones. */
export interface AuditLog {
  /** Stores what waits before it reads, so that it returns everything that was recorded. */
  readonly reader: AuditReader
  /**
   * Adds an entry to the next batch. If the store fails, it is tried again until it works. Never throws.
   *
   * @param start the request that ends with this entry
   */
  record(entry: NewAuditEntry, start?: AuditStart): void
  /**
   * Adds the start of a request to the next batch, unless the request ends before. Never throws.
   *
   * @param build returns its entry. Called only if it is stored: most requests end before the next batch.
   */
  start(build: () => NewAuditEntry): AuditStart
  /**
   * Resolves when the entry is stored. Rejects if it cannot be; the entry is then forgotten.
   *
   * @param start the request that ends with this entry
   */
  storeNow(entry: NewAuditEntry, start?: AuditStart): Promise<AuditStart>
  /** For metrics. */
  readonly counts: AuditCounts
  /** Whether the last batch could be stored. True before the first one. */
  readonly isWorking: boolean
  /** Stores what waits. Resolves to whether the store works. Never rejects. */
  flush(): Promise<boolean>
  /** Stores what waits, for a bounded time, and closes the store. Never rejects. */
  close(): Promise<void>
}

/** Since the log was opened. */
interface AuditCounts {
  /** Entries that are not stored yet. */
  readonly waiting: number
  /** Entries that were dropped because too many waited. */
  readonly lost: number
  /** Attempts to store a batch that failed. */
  readonly failures: number
}

/** An entry that gets its id, its replica and the current time unless it has one, when it is recorded. */
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at' | 'replica'> & {
  /** In milliseconds since 1970. */
  readonly at?: number
}

/** A request that has started. The entry of its end replaces that of its start. */
export interface AuditStart {
  /** The id of the entry. Undefined if nothing was stored, so there is nothing to replace. */
  readonly id?: string | undefined
}

export interface AuditLogOptions {
  /** How long entries are kept. Called before each clean-up, because people edit the configuration. */
  readonly days: () => number
  /** Told once when the store fails or entries get lost, and once when it works again. */
  readonly onProblem?: Report
  /** Entries within this time are stored together. @default 250 */
  readonly batchMs?: number
  /** Time between two attempts while the store fails. @default 1_000 */
  readonly retryMs?: number
  /** How long `close` waits for the store. @default 3_000 */
  readonly closeMs?: number
  /** The name of this process in entries. @default the host name and the process id */
  readonly replica?: string
  readonly now?: () => number
}

/** The starts of requests that have not ended, with what returns their entries. */
type Starts = Map<{ id?: string | undefined }, () => NewAuditEntry>

interface Waiting {
  readonly entry: AuditEntry
  /** Whether it is in `storing` as well. */
  readonly isStart?: true
  /** Present if somebody waits for the entry. */
  readonly settle?: (error?: unknown) => void
}

const DAY_MS = 86_400_000
const PRUNE_MS = 6 * 3_600_000
/** So that a slow store gets small transactions. */
const MAX_BATCH = 1_000
/** A store that is gone must not fill the memory: beyond that, entries are lost and counted. */
const MAX_WAITING = 20_000

const FULL = `${MAX_WAITING.toLocaleString('en')} audit entries wait to be stored. Further ones are lost until the audit log can be written again.`

export function createAuditLog(store: AuditStore, options: AuditLogOptions): AuditLog {
  const { days, onProblem = () => {}, batchMs = 250, retryMs = 1_000, now = Date.now } = options
  const { replica = `${hostname()}:${process.pid}` } = options
  // Several processes write to one store.
  const run = randomBytes(5).toString('hex')
  const writes = createSerialQueue()
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let isScheduled = false
  let isWorking = true
  const starts: Starts = new Map()
  /** Those in the batch that is being stored. */
  const storing: Starts = new Map()
  let count = 0
  let lost = 0
  let lostBefore = 0
  let failures = 0

  function complete(entry: NewAuditEntry, start?: AuditStart): AuditEntry {
    const { at = now() } = entry
    const id = start?.id === undefined ? nextId(at) : endId(start.id)
    // In this order, because the engine copies an object quickly if it comes first.
    return { ...entry, id, at: new Date(at).toISOString(), replica }
  }

  function nextId(at: number): string {
    const time = at.toString(36).padStart(9, '0')
    return `${time}-${run}-${(count++).toString(36).padStart(6, '0')}`
  }

  /** What is stored next: at most one batch. */
  function takeBatch(): Waiting[] {
    const batch: Waiting[] = []
    for (const [start, build] of starts) {
      if (batch.length === MAX_BATCH) return batch
      starts.delete(start)
      storing.set(start, build)
      const entry = complete(build())
      // A store that failed may have stored it nevertheless, so the id stays the same.
      start.id ??= entry.id
      batch.push({ entry: { ...entry, id: start.id }, isStart: true })
    }
    const rest = MAX_BATCH - batch.length
    batch.push(...waiting.slice(0, rest))
    waiting = waiting.slice(rest)
    return batch
  }

  function isFull(): boolean {
    return starts.size + waiting.length >= MAX_WAITING
  }

  async function write(): Promise<void> {
    isScheduled = false
    clearTimeout(timer)
    timer = undefined
    while (starts.size + waiting.length > 0) {
      const batch = takeBatch()
      try {
        await store.append(batch.map(({ entry }) => entry))
      } catch (error) {
        // Those that somebody waits for are reported as failed, and must not appear later as stored.
        waiting = [...batch.filter(({ settle, isStart }) => !settle && !isStart), ...waiting]
        for (const [start, build] of storing) starts.set(start, build)
        storing.clear()
        fail(error)
        for (const { settle } of batch) settle?.(error)
        return
      }
      storing.clear()
      for (const { settle } of batch) settle?.()
      recover()
    }
  }

  function fail(error: unknown): void {
    failures += 1
    if (isWorking) {
      onProblem(`The audit log cannot be written: ${(error as Error).message}`, 'error')
    }
    isWorking = false
    timer ??= setTimeout(schedule, retryMs).unref()
  }

  function recover(): void {
    // Entries are also lost if the store works, but too slowly.
    if (isWorking && lost === 0) return
    isWorking = true
    if (lost === 0) {
      onProblem('The audit log can be written again.', 'info')
      return
    }
    onProblem(`The audit log can be written again. ${lost} entries were lost.`, 'error')
    waiting.push({ entry: complete({ ...GATEWAY, action: 'audit.lost', detail: { lost } }) })
    lostBefore += lost
    lost = 0
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    void writes.run(write)
  }

  /** Does not wait for more if there are many: one request can have hundreds, and nobody else's must be lost. */
  function scheduleSoon(): void {
    if (isWorking && starts.size + waiting.length === MAX_BATCH) {
      clearTimeout(timer)
      timer = setTimeout(schedule, 0).unref()
    } else timer ??= setTimeout(schedule, batchMs).unref()
  }

  async function prune(): Promise<void> {
    await store.prune(now() - days() * DAY_MS).catch(() => {})
  }

  void prune()
  const pruning = setInterval(() => void prune(), PRUNE_MS).unref()

  const log: AuditLog = {
    reader: {
      async query(filter, page) {
        await log.flush()
        return store.query(filter, page)
      },
      async *export(filter) {
        await log.flush()
        yield* store.export(filter)
      },
    },
    record(given, start) {
      // A start that still waits need not be stored: most requests end before the next batch.
      if (start && !starts.delete(start)) storing.delete(start)
      if (isFull()) {
        if (lost++ === 0) onProblem(FULL, 'error')
        return
      }
      waiting.push({ entry: complete(given, start) })
      scheduleSoon()
    },
    start(build) {
      const start = { id: undefined }
      if (isFull()) return start
      starts.set(start, build)
      scheduleSoon()
      return start
    },
    storeNow(given, start) {
      const entry = complete(given, start)
      return new Promise((resolve, reject) => {
        const settle = (error?: unknown) => (error === undefined ? resolve(entry) : reject(error))
        waiting.push({ entry, settle })
        // What arrives while a batch is being stored shares the next one.
        schedule()
      })
    },
    get counts() {
      return { waiting: starts.size + waiting.length, lost: lostBefore + lost, failures }
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
