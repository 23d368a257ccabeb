/** The state of one conversation as plain JSON. */
export interface SessionRecord {
  /** Loaded tools in loading order. Never reordered, because requests contain them in this order. */
  readonly loaded: readonly LoadedTool[]
  /** Whether deferral has started. It never stops within a conversation. */
  readonly active: boolean
  /** Names in the order in which requests first contained their full definition. They stay listed. */
  readonly sent: readonly string[]
  /**
   * Tools that the model has seen although `sent` does not name them, so it may call them.
   * `automatic`: a request before the start of deferral contained every tool except those deferred on
   * request. `all`: a request contained every tool.
   */
  readonly seen?: 'automatic' | 'all'
  /** A digest of the announcement that every request repeats byte for byte. */
  readonly announcement?: string
  /** A digest of the names that the model knows, including later notices. */
  readonly announced?: string
  /** A digest of the stubs that every request lists, if requests contain stubs. */
  readonly stubs?: string
}

export interface LoadedTool {
  readonly name: string
  /** The fingerprint of the definition at the time of loading. */
  readonly fingerprint: string
}

export const EMPTY_RECORD: SessionRecord = { loaded: [], active: false, sent: [] }

/** The names that a load added, and those that were loaded with an older definition. */
export interface LoadResult {
  readonly added: readonly string[]
  readonly updated: readonly string[]
}

/**
 * Adds loaded tools to a record. A tool that is loaded again keeps its place and gets the new
 * fingerprint. Returns the given record if nothing changes.
 */
export function addLoaded(
  record: SessionRecord,
  tools: readonly LoadedTool[],
): { record: SessionRecord; result: LoadResult } {
  const before = new Map(record.loaded.map((tool) => [tool.name, tool]))
  const after = new Map(before)
  const added = new Set<string>()
  const updated = new Set<string>()
  for (const tool of tools) {
    if (after.get(tool.name)?.fingerprint === tool.fingerprint) continue
    const names = before.has(tool.name) ? updated : added
    names.add(tool.name)
    after.set(tool.name, tool)
  }
  const isChanged = added.size + updated.size > 0
  return {
    record: isChanged ? { ...record, loaded: [...after.values()] } : record,
    result: { added: [...added], updated: [...updated] },
  }
}
