/** The state of one conversation as plain JSON. */
export interface SessionRecord {
  /** Loaded tools in loading order. Never reordered, because requests contain them in this order. */
  readonly loaded: readonly LoadedTool[]
  /** Whether deferral has started. It never stops within a conversation. */
  readonly active: boolean
  /** Names in the order in which requests first contained their full definition. */
  readonly sent: readonly string[]
  /** The announcement that every request repeats byte for byte. */
  readonly announcement?: string
  /** Names of the tools announced to the model. */
  readonly announced: readonly string[]
}

export interface LoadedTool {
  readonly name: string
  /** The fingerprint of the definition at the time of loading. */
  readonly fingerprint: string
}

/** An update to a record. Updates can be merged in any order, except that the last announcement wins. */
export interface SessionAddition {
  readonly loaded?: readonly LoadedTool[]
  readonly active?: true
  readonly sent?: readonly string[]
  /** Replaces an earlier announcement. */
  readonly announcement?: string
  readonly announced?: readonly string[]
  /** Announced tools that no longer exist. They are removed from `announced`. */
  readonly withdrawn?: readonly string[]
}

export const EMPTY_RECORD: SessionRecord = { loaded: [], active: false, sent: [], announced: [] }

/** A tool that is loaded again keeps its place and gets the new fingerprint. */
export function addToRecord(record: SessionRecord, addition: SessionAddition): SessionRecord {
  const loaded = new Map(record.loaded.map((tool) => [tool.name, tool]))
  for (const tool of addition.loaded ?? []) loaded.set(tool.name, tool)
  const announced = new Set([...record.announced, ...(addition.announced ?? [])])
  for (const name of addition.withdrawn ?? []) announced.delete(name)
  const announcement = addition.announcement ?? record.announcement
  return {
    loaded: [...loaded.values()],
    active: record.active || addition.active === true,
    sent: [...new Set([...record.sent, ...(addition.sent ?? [])])],
    ...(announcement !== undefined && { announcement }),
    announced: [...announced],
  }
}
