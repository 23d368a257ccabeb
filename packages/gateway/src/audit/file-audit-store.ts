import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PRIVATE_MODE } from '../system/atomic-write.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { type AuditEntry, startIdOf } from './audit-entry.ts'
import { readAuditLine, writeAuditLine } from './audit-line.ts'
import type { AuditStore } from './audit-store.ts'
import { createLatest } from './latest-entries.ts'
import { matchesFilter } from './matches-filter.ts'

const DAY_MS = 86_400_000
const NEW_LINE = 10
const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/
/** Entries that are appended again follow soon after the first time. */
const REMEMBERED = 20_000

/**
 * Stores entries in a folder of JSON Lines files, one for each day (UTC) on which requests arrived.
 * Several processes may append at the same time: each batch is one write of complete lines. Entries
 * survive the end of the process, but not a power failure that follows at once.
 */
export function createFileAuditStore(folder: string): AuditStore {
  const writes = createSerialQueue()

  async function write(day: string, entries: readonly AuditEntry[]): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${day}.jsonl`)
    const handle = await open(path, 'a+', PRIVATE_MODE)
    try {
      const lines = entries.map(writeAuditLine).join('')
      const bytes = Buffer.from((await endsInLine(handle)) ? `\n${lines}` : lines)
      // Not `appendFile`, which splits large texts: other processes could write in between.
      const { bytesWritten } = await handle.write(bytes)
      if (bytesWritten < bytes.length) throw new Error(`${path}: no space left on the disk.`)
    } finally {
      await handle.close()
    }
  }

  /** The days with entries in a period, oldest first. */
  async function days({ since = 0, until = Number.POSITIVE_INFINITY }): Promise<string[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const found = names.flatMap((name) => FILE.exec(name)?.[1] ?? [])
    return found.filter((day) => startOf(day) < until && startOf(day) + DAY_MS > since).sort()
  }

  /**
   * In the order of the file, and then the requests that have not ended. The end of a request is in the
   * same file as its start, because it has the same time.
   */
  async function* read(day: string): AsyncGenerator<AuditEntry> {
    const started = new Map<string, AuditEntry>()
    const input = createReadStream(join(folder, `${day}.jsonl`), { highWaterMark: 1 << 18 })
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const entry = readAuditLine(line)
      if (!entry) continue
      const start = startIdOf(entry)
      if (start !== undefined) started.delete(start)
      if (entry.outcome === 'unknown') started.set(entry.id, entry)
      else yield entry
    }
    yield* started.values()
  }

  return {
    append: (entries) =>
      writes.run(async () => {
        for (const [day, group] of byDay(entries)) await write(day, group)
      }),
    async query({ since, until, ...rest }, { limit, before }) {
      const matches = matchesFilter({ since, until, ...rest })
      const latest = createLatest(limit + 1)
      for (const day of (await days(period(since, until))).reverse()) {
        for await (const entry of read(day)) {
          if ((before === undefined || entry.id < before) && matches(entry)) latest.add(entry)
        }
        // Ids sort like times, so all entries of the days before are older.
        if (latest.isFull()) break
      }
      const found = latest.entries()
      const entries = found.slice(0, limit)
      return { entries, ...(found.length > limit && { next: entries.at(-1)!.id }) }
    },
    async *export({ since, until, ...rest }) {
      const matches = matchesFilter({ since, until, ...rest })
      const seen = new Set<string>()
      for (const day of await days(period(since, until))) {
        for await (const entry of read(day)) {
          if (!matches(entry) || seen.has(entry.id)) continue
          seen.add(entry.id)
          if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!)
          yield entry
        }
      }
    },
    async prune(before) {
      for (const day of await days({ until: before })) {
        if (startOf(day) + DAY_MS <= before) await unlink(join(folder, `${day}.jsonl`))
      }
    },
    close: () => writes.idle(),
  }
}

/** Whether the last line is incomplete: a write may have failed halfway. */
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEW_LINE
}

function period(since: number | undefined, until: number | undefined) {
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

function byDay(entries: readonly AuditEntry[]): Map<string, AuditEntry[]> {
  const days = new Map<string, AuditEntry[]>()
  for (const entry of entries) {
    const day = entry.at.slice(0, 10)
    const group = days.get(day)
    if (group) group.push(entry)
    else days.set(day, [entry])
  }
  return days
}

function startOf(day: string): number {
  return Date.parse(day)
}
