import { timeSlices } from '../system/time-slices.ts'
import { checkSize } from './check-size.ts'
import type { JsonObject } from './json-object.ts'
import type { UpstreamError } from './upstream-error.ts'

/** What the gateway accepts of each list of a server. */
const LIST_LIMITS = {
  entries: 10_000,
  /** A request for an unlisted resource is compared with each of them. */
  templates: 1_000,
  pages: 1_000,
  /** About that of the entries as JSON. */
  bytes: 32_000_000,
  entryBytes: 256_000,
} as const

/** Cursors are kept to detect circles. */
const MAX_CURSOR_LENGTH = 8_192

/** Receives an entry, or the reason why it is left out: "larger than 256 kB". */
export type OnEntry = (entry: unknown, problem: string | undefined) => void

/**
 * Reads every page of a list. Rejects only if the first page fails, or if the gateway closes the connection.
 * Stops early if a later page fails, or at a limit. Pauses while it checks the entries, so that other work can run.
 *
 * @param key the field of the result that holds the entries, such as `tools`
 * @param page requests a page with these params
 * @returns the reason if the list is incomplete
 */
export async function listPages(
  key: string,
  page: (params: JsonObject) => Promise<JsonObject>,
  onEntry: OnEntry,
): Promise<string | undefined> {
  const { pages: maxPages, bytes: maxBytes, entryBytes } = LIST_LIMITS
  const maxEntries = key === 'resourceTemplates' ? LIST_LIMITS.templates : LIST_LIMITS.entries
  const slices = timeSlices()
  const cursors = new Set<string>()
  let cursor: string | undefined
  let count = 0
  let bytes = 0
  for (let pages = 0; pages < maxPages; pages++) {
    let answer: JsonObject
    try {
      answer = await page(cursor === undefined ? {} : { cursor })
    } catch (error) {
      if (pages === 0 || (error as UpstreamError).code === 'closed') throw error
      return `Page ${pages + 1} of ${key} could not be read: ${(error as Error).message}`
    }
    const entries = answer[key]
    if (!Array.isArray(entries)) return `Page ${pages + 1} of ${key} contains no list.`
    const next = answer.nextCursor
    for (const [at, entry] of entries.entries()) {
      if (count === maxEntries) {
        const all = typeof next === 'string' ? 'more' : formatted(count + entries.length - at)
        return `The list of ${key} has ${all} entries. Only the first ${formatted(count)} are offered.`
      }
      const checked = checkSize(entry, entryBytes)
      if ('size' in checked) bytes += checked.size
      if (bytes > maxBytes) {
        return `The list of ${key} is larger than ${maxBytes / 1e6} MB. Only the first ${formatted(count)} entries are offered.`
      }
      count++
      onEntry(entry, 'problem' in checked ? checked.problem : undefined)
      await slices.next()
    }
    if (typeof next !== 'string') return undefined
    if (cursors.has(next)) {
      return `The list of ${key} is circular: page ${pages + 1} leads back to cursor "${next.slice(0, 100)}".`
    }
    if (next.length > MAX_CURSOR_LENGTH)
      return `The cursor of page ${pages + 2} of ${key} is too long.`
    cursors.add(next)
    cursor = next
  }
  return `The list of ${key} has more than ${maxPages} pages.`
}

function formatted(count: number): string {
  return count.toLocaleString('en')
}
