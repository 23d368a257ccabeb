import { ToolSearchError } from '../tool-search-error.ts'

/** A session was used after `close()`. Its record is still in the store: open the session again. */
export class SessionClosedError extends ToolSearchError {
  override readonly name = 'SessionClosedError'
  readonly code = 'session_closed'

  constructor(id: string) {
    super(`Session "${id}" is closed. Open it again with toolSearch.session().`)
  }
}
