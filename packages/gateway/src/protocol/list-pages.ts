import type { JsonObject } from './json-object.ts'
import type { UpstreamError } from './upstream-error.ts'

const MAX_PAGES = 1_000

/**
 * Reads every page of a list. Rejects only if the first page fails, or if the gateway closes the connection.
 * Stops early if a later page fails or the list never ends.
 *
 * @param key the field of the result that holds the entries, such as `tools`
 * @param page requests a page with these params
 * @param onEntry called with every entry
 * @returns the reason if the list may be incomplete
 */
export async function listPages(
  key: string,
  page: (params: JsonObject) => Promise<JsonObject>,
  onEntry: (entry: unknown) => void,
): Promise<string | undefined> {
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    let answer: JsonObject
    try {
      answer = await page(cursor === undefined ? {} : { cursor })
    } catch (error) {
      if (pages === 0 || (error as UpstreamError).code === 'closed') throw error
      return `Page ${pages + 1} of ${key} could not be read: ${(error as Error).message}`
    }
    const entries = answer[key]
    if (!Array.isArray(entries)) return `Page ${pages + 1} of ${key} contains no list.`
    for (const entry of entries) onEntry(entry)
    const next = answer.nextCursor
    if (typeof next !== 'string') return undefined
    if (cursors.has(next)) {
      return `The list of ${key} is circular: page ${pages + 1} leads back to cursor "${next}".`
    }
    cursors.add(next)
    cursor = next
  }
  return `The list of ${key} has more than ${MAX_PAGES} pages.`
}
