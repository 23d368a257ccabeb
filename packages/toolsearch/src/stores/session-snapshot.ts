import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { ToolSearchError } from '../tool-search-error.ts'
import type { LoadedTool, RecordedList, SessionRecord } from './session-record.ts'

/** A conversation as JSON: returned by `session.snapshot()` and accepted by `restore`. */
export interface SessionSnapshot extends SnapshotAccess {
  readonly version: 2
  readonly id: string
  readonly record: SessionRecord
}

/** What the caller of a session may see. */
export interface SnapshotAccess {
  /**
   * The sorted names of the tools this caller may use; omitted if it may use every tool. `function`
   * means that a function decides, which JSON cannot contain.
   */
  readonly visible?: readonly string[] | 'function'
  /** The sorted `visibleSources` of the session, if it has any. */
  readonly visibleSources?: readonly string[]
}

/** The value is not a valid snapshot. */
export class InvalidSnapshotError extends ToolSearchError {
  override readonly name = 'InvalidSnapshotError'
  readonly code = 'invalid_snapshot'

  constructor(problem: string) {
    super(`Not a valid session snapshot: ${problem}.`)
  }
}

/** A function decided what the caller of a session may see, and a snapshot cannot contain it. */
export class MissingAccessError extends ToolSearchError {
  override readonly name = 'MissingAccessError'
  readonly code = 'missing_access'

  constructor(id: string) {
    super(
      `Session "${id}" was restricted by a \`visible\` function, which a snapshot cannot contain. ` +
        'Pass it again: toolSearch.restore(snapshot, { visible }).',
    )
  }
}

/** Validates untrusted JSON. @throws InvalidSnapshotError */
export function readSnapshot(json: unknown): SessionSnapshot {
  if (json instanceof Promise) {
    throw new InvalidSnapshotError('it is a promise; use await session.snapshot()')
  }
  if (!isObject(json)) throw new InvalidSnapshotError('it is not an object')
  const { version, id, record, visible, visibleSources } = json
  if (version !== 2) {
    throw new InvalidSnapshotError(`version is ${JSON.stringify(version)}, not 2`)
  }
  if (typeof id !== 'string') throw new InvalidSnapshotError('id is not a string')
  // a damaged allow-list must not become access to everything
  if (visible !== undefined && visible !== 'function' && !isListOfStrings(visible)) {
    throw new InvalidSnapshotError('visible is not a list of names')
  }
  if (visibleSources !== undefined && !isListOfStrings(visibleSources)) {
    throw new InvalidSnapshotError('visibleSources is not a list of names')
  }
  return {
    version,
    id,
    record: readRecord(record),
    ...(visible !== undefined && { visible }),
    ...(visibleSources !== undefined && { visibleSources }),
  }
}

function readRecord(record: unknown): SessionRecord {
  if (!isObject(record)) throw new InvalidSnapshotError('record is not an object')
  const { loaded, active, sent, seen, announcement, announced, announcedList, stubs, notices } =
    record
  const { described, searchable } = record
  if (!Array.isArray(loaded) || !loaded.every(isLoadedTool)) {
    throw new InvalidSnapshotError('record.loaded is not a list of names with fingerprints')
  }
  if (typeof active !== 'boolean') throw new InvalidSnapshotError('record.active is not a boolean')
  if (!isListOfStrings(sent)) throw new InvalidSnapshotError('record.sent is not a list of names')
  if (seen !== undefined && seen !== 'automatic' && seen !== 'all') {
    throw new InvalidSnapshotError('record.seen is neither "automatic" nor "all"')
  }
  if (searchable !== undefined && searchable !== true) {
    throw new InvalidSnapshotError('record.searchable is not true')
  }
  if (described !== undefined && !isListOfStrings(described)) {
    throw new InvalidSnapshotError('record.described is not a list of names')
  }
  return {
    loaded,
    active,
    ...(searchable && { searchable }),
    sent,
    ...(seen !== undefined && { seen }),
    ...readDigest('announcement', announcement),
    ...readDigest('announced', announced),
    ...readList(announcedList),
    ...readDigest('stubs', stubs),
    ...(described !== undefined && { described }),
    ...readNotices(notices),
  }
}

function readList(value: unknown): Partial<SessionRecord> {
  if (value === undefined) return {}
  const isList = (names: unknown) => names === undefined || isListOfStrings(names)
  if (isObject(value) && typeof value.text === 'string' && isListOfStrings(value.names)) {
    if (isList(value.added) && isList(value.removed)) {
      return { announcedList: value as unknown as RecordedList }
    }
  }
  throw new InvalidSnapshotError('record.announcedList is not a text with lists of names')
}

function readNotices(value: unknown): Partial<SessionRecord> {
  if (value === undefined) return {}
  const isNotice = (notice: unknown) =>
    isObject(notice) && typeof notice.text === 'string' && typeof notice.after === 'string'
  if (Array.isArray(value) && value.every(isNotice)) return { notices: value }
  throw new InvalidSnapshotError('record.notices is not a list of texts with places')
}

function readDigest(
  key: 'announcement' | 'announced' | 'stubs',
  value: unknown,
): Partial<SessionRecord> {
  if (value === undefined) return {}
  if (typeof value !== 'string') throw new InvalidSnapshotError(`record.${key} is not a string`)
  return { [key]: value }
}

function isLoadedTool(value: unknown): value is LoadedTool {
  return isObject(value) && typeof value.name === 'string' && typeof value.fingerprint === 'string'
}
