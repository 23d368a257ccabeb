import { ToolSearchError } from 'toolsearch'

/** The gateway was to be open to others without a token. */
export class MissingTokenError extends ToolSearchError {
  override readonly name = 'MissingTokenError'
  readonly code = 'missing_token'

  constructor(host: string) {
    super(
      `Others can reach ${host}, so a token is needed: set TOOLSEARCH_TOKEN, or bind to 127.0.0.1.`,
    )
  }
}
