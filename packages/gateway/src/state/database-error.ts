import { ToolSearchError } from 'toolsearch'

/**
 * PostgreSQL cannot be reached, does not answer in time, or refuses to store anything. `reason` is for
 * administrators and contains neither credentials nor data.
 */
export class DatabaseUnavailableError extends ToolSearchError {
  override readonly name = 'DatabaseUnavailableError'
  readonly code = 'database_unavailable'
  readonly reason: string

  constructor(reason: string) {
    super(`PostgreSQL is not available. ${reason}`)
    this.reason = reason
  }
}

/** A newer version of the gateway has changed the database in a way that this version does not know. */
export class DatabaseTooNewError extends ToolSearchError {
  override readonly name = 'DatabaseTooNewError'
  readonly code = 'database_too_new'

  constructor(minimum: number, known: number) {
    super(
      `The database has version ${minimum}, but this version of toolsearch knows only version ${known}. ` +
        'Install the newer version of toolsearch on this machine too, or restore a backup of the database.',
    )
  }
}

/** Why a condition that is not our mistake prevents a query, by SQLSTATE or the start of one. */
const REASONS: readonly (readonly [state: string, reason: string])[] = [
  ['57014', 'A query took too long.'],
  ['55P03', 'Another transaction holds a lock for too long.'],
  ['40', 'Other transactions got in the way.'],
  ['25006', 'It is read-only.'],
  ['25P', 'A transaction took too long.'],
  ['42501', 'The user of the database lacks permissions. It must be able to create tables.'],
  ['3D000', 'The database does not exist.'],
  ['28', 'The user or the password is wrong.'],
  ['53100', 'Its disk is full.'],
  ['53300', 'It has too many connections.'],
  ['53', 'It has run out of resources.'],
  ['57', 'It is shutting down or starting.'],
  ['58', 'It has a problem with its disk.'],
  ['08', 'The connection was lost.'],
  ['XX', 'It has an internal problem.'],
]

const SQLSTATE = /^[0-9A-Z]{5}$/

/** Whether PostgreSQL itself has answered with an error, so that the connection still works. */
export function isAnswer(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && SQLSTATE.test(code) && severity === 'ERROR'
}

/** What to throw for an error of `pg`: unavailable, or the error itself if it is a mistake of ours. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof ToolSearchError) return error
  const { code, severity, message } = error as {
    code?: unknown
    severity?: unknown
    message?: string
  }
  if (severity !== undefined && typeof code === 'string') {
    const reason = REASONS.find(([state]) => code.startsWith(state))?.[1]
    return reason === undefined ? error : new DatabaseUnavailableError(reason)
  }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new DatabaseUnavailableError(`It cannot be reached (${code}).`)
  }
  if (message === 'Query read timeout') return new DatabaseUnavailableError('It does not answer.')
  // The errors of `pg` for a lost connection have no code.
  if (
    /^Connection |^timeout exceeded|^Client (has|was)|not queryable|pool after|destroyed/.test(
      message ?? '',
    )
  ) {
    return new DatabaseUnavailableError('The connection was lost or could not be opened in time.')
  }
  // TLS and certificates
  if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code)) {
    return new DatabaseUnavailableError(`Its certificate is not accepted (${code}).`)
  }
  return error
}
