import { ToolSearchError } from 'toolsearch'

/** The command line is wrong, or a file it names cannot be used. */
export class UsageError extends ToolSearchError {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}
