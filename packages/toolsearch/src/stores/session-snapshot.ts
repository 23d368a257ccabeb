import { isObject } from '../is-object.ts'
import { ToolSearchError } from '../tool-search-error.ts'
import type { LoadedTool, SessionRecord } from './session-record.ts'

/** A conversation as JSON: returned by `session.snapshot()` and accepted by `restore`. */
export interface SessionSnapshot {
  readonly version: 1
  readonly id: string
  readonly record: SessionRecord
}

/** The value is not a valid snapshot. */
export class InvalidSnapshotError extends ToolSearchError {
  override readonly name = 'InvalidSnapshotError'
  readonly code = 'invalid_snapshot'

  constructor(problem: string) {
    super(`Not a valid session snapshot: ${problem}.`)
  }
}

/** Validates untrusted JSON. @throws InvalidSnapshotError */
export function readSnapshot(json: unknown): SessionSnapshot {
  if (!isObject(json)) throw new InvalidSnapshotError('it is not an object')
  if (json.version !== 1)
    throw new InvalidSnapshotError(`version is ${JSON.stringify(json.version)}, not 1`)
  if (typeof json.id !== 'string') throw new InvalidSnapshotError('id is not a string')
  const { record } = json
  if (!isObject(record)) throw new InvalidSnapshotError('record is not an object')
  const { loaded, active, sent, announcement, announced } = record
  if (!Array.isArray(loaded) || !loaded.every(isLoadedTool)) {
    throw new InvalidSnapshotError('record.loaded is not a list of names with fingerprints')
  }
  if (typeof active !== 'boolean') throw new InvalidSnapshotError('record.active is not a boolean')
  if (!isNames(sent)) throw new InvalidSnapshotError('record.sent is not a list of names')
  if (!isNames(announced)) throw new InvalidSnapshotError('record.announced is not a list of names')
  if (announcement !== undefined && typeof announcement !== 'string') {
    throw new InvalidSnapshotError('record.announcement is not a string')
  }
  return {
    version: 1,
    id: json.id,
    record: {
      loaded,
      active,
      sent,
      ...(announcement !== undefined && { announcement }),
      announced,
    },
  }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function isLoadedTool(value: unknown): value is LoadedTool {
  return isObject(value) && typeof value.name === 'string' && typeof value.fingerprint === 'string'
}
