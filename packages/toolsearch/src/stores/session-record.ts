/** All that is known of one conversation. Plain JSON: it can be stored, sent and read back. */
export interface SessionRecord {
  /** What was loaded, in order. Never reordered: the order is part of the request. */
  readonly loaded: readonly LoadedTool[]
  /** Deferral has begun. It never ends within a conversation. */
  readonly active: boolean
  /** Names in the order in which requests first carried them in full. */
  readonly sent: readonly string[]
  /** The announcement that every request repeats, byte for byte. */
  readonly announcement?: string
  /** Hidden tools the model has been told of. */
  readonly announced: readonly string[]
}

export interface LoadedTool {
  readonly name: string
  /** What the definition was when it was loaded. */
  readonly fingerprint: string
}

/** What one step adds to a record. Steps can be merged in any order; of announcements the last counts. */
export interface SessionAddition {
  readonly loaded?: readonly LoadedTool[]
  readonly active?: true
  readonly sent?: readonly string[]
  /** Takes the place of an earlier one. */
  readonly announcement?: string
  readonly announced?: readonly string[]
  /** Announced tools that are gone; told once, then forgotten. */
  readonly withdrawn?: readonly string[]
}

export const EMPTY_RECORD: SessionRecord = { loaded: [], active: false, sent: [], announced: [] }

/** A tool loaded again keeps its place and takes the newer fingerprint. */
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
