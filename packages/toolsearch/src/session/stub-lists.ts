import { stubSchema } from '../announcement/stub-schema.ts'
import { hashText } from '../catalogue/hash-text.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { ToolText } from '../tokens/tool-tokens.ts'
import type { Announcement } from './preset.ts'
import type { ToolDivision } from './tool-division.ts'

type Stubs = NonNullable<Announcement['stubs']>

/**
 * The tools that the first request of a conversation listed, with their stubs. Later requests list the
 * same ones, so that their prefix does not change.
 */
export interface StubList {
  readonly entries: ReadonlyMap<string, { readonly stub: ToolText; readonly isEager: boolean }>
  readonly digest: string
}

/** Recent lists by digest, because a session stores nothing but the digest. */
export interface StubLists {
  /**
   * The list of a conversation, or a new one with all tools: before the first request, and if another
   * process made the list, or too long ago.
   */
  find(
    digest: string | undefined,
    division: ToolDivision,
    stubs: Stubs,
    searchToolName: string,
  ): StubList
}

/** In all lists together, because lists differ in size. */
const MAX_ENTRIES = 1_000_000

export function createStubLists(maxEntries: number = MAX_ENTRIES): StubLists {
  const lists = new Map<string, StubList>()
  let entryCount = 0
  return {
    find(digest, division, stubs, searchToolName) {
      const known = digest === undefined ? undefined : lists.get(digest)
      const list = known ?? currentList(division, stubs, searchToolName)
      // Deleting it first makes it the most recently used entry.
      forget(list)
      lists.set(list.digest, list)
      entryCount += list.entries.size
      for (const oldest of lists.values()) {
        if (entryCount <= maxEntries || oldest === list) break
        forget(oldest)
      }
      return list
    },
  }

  function forget({ digest }: StubList): void {
    entryCount -= lists.get(digest)?.entries.size ?? 0
    lists.delete(digest)
  }
}

const current = new WeakMap<ToolDivision, Map<Stubs, StubList>>()

function currentList(division: ToolDivision, stubs: Stubs, searchToolName: string): StubList {
  const byStubs = current.get(division) ?? new Map<Stubs, StubList>()
  current.set(division, byStubs)
  const cached = byStubs.get(stubs)
  if (cached) return cached
  const entries = new Map(
    division.visible.map((tool) => [
      tool.name,
      {
        stub: stubText(tool, stubs, searchToolName),
        isEager: division.deferral(tool) === 'eager',
      },
    ]),
  )
  const list = { entries, digest: hashText(JSON.stringify([...entries])) }
  byStubs.set(stubs, list)
  return list
}

/** A tool whose parameters are hidden. */
export function stubText(tool: Tool, { note }: Stubs, searchToolName: string): ToolText {
  const { name, description } = tool
  return { name, description, inputSchema: stubSchema(note?.(tool, searchToolName)) }
}
