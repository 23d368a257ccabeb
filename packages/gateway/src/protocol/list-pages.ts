import type { JsonObject } from './json-object.ts'

const MAX_PAGES = 1_000

/**
 * Reads a list to its last page. Ends where a list would not, and keeps what it got if a later page
 * fails. Rejects only if the first page fails: then nothing is known.
 *
 * @param key where the entries are in an answer, such as `tools`
 * @param page asks for a page with these params
 * @param take gets every entry
 * @returns why the list may not be whole
 */
export async function listPages(
  key: string,
  page: (params: JsonObject) => Promise<JsonObject>,
  take: (entry: unknown) => void,
): Promise<string | undefined> {
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    let answer: JsonObject
    try {
      answer = await page(cursor === undefined ? {} : { cursor })
    } catch (error) {
      if (pages === 0) throw error
      return `Page ${pages + 1} of its ${key} is missing: ${(error as Error).message}`
    }
    const entries = answer[key]
    if (!Array.isArray(entries)) return `Page ${pages + 1} of its ${key} has no list of ${key}.`
    for (const entry of entries) take(entry)
    const next = answer.nextCursor
    if (typeof next !== 'string') return undefined
    if (cursors.has(next)) {
      return `Its list of ${key} goes in circles: page ${pages + 1} leads back to "${next}".`
    }
    cursors.add(next)
    cursor = next
  }
  return `Its list of ${key} did not end after ${MAX_PAGES} pages.`
}
