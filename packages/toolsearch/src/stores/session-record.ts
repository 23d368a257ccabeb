/** The state of one conversation as plain JSON. */
export interface SessionRecord {
  /** Loaded tools in loading order. Never reordered, because requests contain them in this order. */
  readonly loaded: readonly LoadedTool[]
  /** Whether deferral has started. It never stops within a conversation. */
  readonly active: boolean
  /** Whether a tool was hidden, so that requests have the search tool. From then on they keep it. */
  readonly searchable?: true
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
  /** The announcement itself, unless it is long. Another process needs it if the tools have changed. */
  readonly announcedList?: RecordedList
  /** A digest of the tool list that every request repeats, if hidden tools are listed as stubs. */
  readonly stubs?: string
  /** Tools that a notice describes with their parameters, so that no list has to contain them. */
  readonly described?: readonly string[]
  /** Earlier notices, for frameworks that do not keep messages which an adapter adds. */
  readonly notices?: readonly PlacedNotice[]
}

/** An announcement, and how later notices changed the names that the model knows. */
export interface RecordedList {
  readonly text: string
  readonly names: readonly string[]
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** A notice about added and removed tools, and the message it follows in every request. */
export interface PlacedNotice {
  readonly text: string
  readonly after: string
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
