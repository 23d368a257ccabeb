import { ToolSearchError } from '../tool-search-error.ts'

/** A session with this id exists, and forking onto it would replace it. */
export class SessionExistsError extends ToolSearchError {
  override readonly name = 'SessionExistsError'
  readonly code = 'session_exists'
  readonly id: string

  constructor(id: string) {
    super(
      `A session with the id "${id}" already exists. Fork to an unused id, or continue that ` +
        'session with toolSearch.session(id).',
    )
    this.id = id
  }
}
