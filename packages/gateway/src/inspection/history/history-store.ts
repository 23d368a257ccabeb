import { mkdir, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PRIVATE_MODE } from '../../system/atomic-write.ts'
import { createSerialQueue } from '../../system/serial-queue.ts'
import type { HistoryEntry } from './history-entry.ts'
import { isHistoryEntry } from './is-history-entry.ts'

/**
 * Keeps entries: in a folder of JSON Lines files, or in PostgreSQL. Several gateways may write at once.
 * `history-store.cases.ts` is the contract.
 */
export interface HistoryStore {
  /** Where entries are kept, for people: the path of the folder, or `PostgreSQL`. */
  readonly folder: string
  /** Whether gateways on other machines write to it as well. */
  readonly isShared: boolean
  /** Adds an entry to the next batch. Returns at once and never throws. */
  append(entry: HistoryEntry): void
  /** The entries of a period, oldest first. Skips lines that cannot be read. Never rejects. */
  read(period: Period): Promise<HistoryEntry[]>
  /** Writes the current batch. Never rejects. */
  flush(): Promise<void>
  /** Whether the last batch could be written. */
  readonly isWorking: boolean
}

/** Times in milliseconds; `since` is included, `until` is not. */
export interface Period {
  readonly since: number
  readonly until: number
}

export interface HistoryBounds {
  /** Entries of older days are deleted. */
  readonly days: number
  /** Beyond that, the oldest entries are deleted. */
  readonly megabytes: number
}

export interface HistoryStoreOptions {
  /** Called before each clean-up, because people edit the configuration. */
  readonly bounds?: () => HistoryBounds
  /** Entries within this time are written together. @default 250 */
  readonly batchMs?: number
  readonly now?: () => number
}

const DAY_MS = 86_400_000
const MEGABYTE = 1_000_000
/** Parsed in one go; then calls get their turn. */
const PARSED_LINES = 1_000
/** A hung disk must not fill the memory: beyond that, entries are dropped. */
const MAX_WAITING = 20_000
const FILE = /^(\d{4}-\d\d-\d\d)\.(\d+)\.jsonl$/

export function createHistoryStore(
  folder: string,
  {
    bounds = () => ({ days: 30, megabytes: 50 }),
    batchMs = 250,
    now = Date.now,
  }: HistoryStoreOptions = {},
): HistoryStore {
  const writes = createSerialQueue()
  let waiting: HistoryEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let isWorking = true
  let hasWritten = false
  let day = ''
  let bytesSinceCleaning = 0

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { file, size } = await currentFile()
      // A process that was killed may have left half a line: start with a line of our own.
      const start = !hasWritten && size > 0 ? '\n' : ''
      const text = start + batch.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      const handle = await open(file, 'a', PRIVATE_MODE)
      try {
        await handle.appendFile(text)
      } finally {
        await handle.close()
      }
      hasWritten = true
      isWorking = true
      bytesSinceCleaning += text.length
      if (bytesSinceCleaning > cleaningStep()) await clean()
    } catch {
      // Recording must never crash the gateway. The disk may be full or read-only.
      hasWritten = false
      isWorking = false
    }
  }

  function cleaningStep(): number {
    return fileBytes() / 2
  }

  function fileBytes(): number {
    return (bounds().megabytes * MEGABYTE) / 10
  }

  /** The file of today; a further one if it is full. */
  async function currentFile(): Promise<{ file: string; size: number }> {
    const today = dayOf(now())
    if (today !== day) {
      day = today
      hasWritten = false
      await clean()
    }
    const files = (await list()).filter((each) => each.day === today)
    const last = files.at(-1)
    const size = last ? await sizeOf(last.path) : 0
    const number = last ? last.number + Number(size >= fileBytes()) : 1
    if (number !== last?.number) return { file: join(folder, `${today}.${number}.jsonl`), size: 0 }
    return { file: last.path, size }
  }

  async function clean(): Promise<void> {
    bytesSinceCleaning = 0
    const { days, megabytes } = bounds()
    const oldest = dayOf(now() - days * DAY_MS)
    let total = 0
    // Latest first: what exceeds the limits is the oldest.
    for (const { path, day } of (await list()).reverse()) {
      total += await sizeOf(path)
      if (day < oldest || total > megabytes * MEGABYTE) await unlink(path).catch(() => {})
    }
  }

  /** Oldest first. */
  async function list(): Promise<{ path: string; day: string; number: number }[]> {
    const names = await readdir(folder).catch(() => [])
    const files = names.flatMap((name) => {
      const [, day, number] = FILE.exec(name) ?? []
      if (day === undefined) return []
      return { path: join(folder, name), day, number: Number(number) }
    })
    return files.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
  }

  const store: HistoryStore = {
    folder,
    isShared: false,
    append(entry) {
      if (waiting.length >= MAX_WAITING) return
      waiting.push(entry)
      timer ??= setTimeout(() => void writes.run(write), batchMs).unref()
    },
    async read({ since, until }) {
      await store.flush()
      // The file is that of the day on which a batch was written, soon after its entries.
      const [first, last] = [dayOf(since), dayOf(until + DAY_MS)]
      const entries: HistoryEntry[] = []
      for (const { path, day } of await list()) {
        if (day < first || day > last) continue
        const text = await readFile(path, 'utf8').catch(() => '')
        await parseLines(text, (entry) => {
          const at = Date.parse(entry.at)
          if (at >= since && at < until) entries.push(entry)
        })
      }
      return entries.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    flush: () => writes.run(write),
    get isWorking() {
      return isWorking
    },
  }
  return store
}

async function parseLines(text: string, onEntry: (entry: HistoryEntry) => void): Promise<void> {
  const lines = text.split('\n')
  for (let from = 0; from < lines.length; from += PARSED_LINES) {
    for (const line of lines.slice(from, from + PARSED_LINES)) {
      const entry = parseLine(line)
      if (entry) onEntry(entry)
    }
    await setImmediate()
  }
}

function parseLine(line: string): HistoryEntry | undefined {
  if (line === '') return undefined
  try {
    const entry: unknown = JSON.parse(line)
    return isHistoryEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function dayOf(time: number): string {
  // Beyond these, dates have no four-digit year.
  const inRange = Math.min(Math.max(time, 0), Date.UTC(9999, 11, 31))
  return new Date(inRange).toISOString().slice(0, 10)
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
