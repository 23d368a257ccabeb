import { ToolSearchError } from 'toolsearch'

/** The command line is wrong, or a file it names cannot be used. */
export class UsageError extends ToolSearchError {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

/** @example noSuchTools(['a', 'b']) // 'There are no tools "a", "b".' */
export function noSuchTools(names: readonly string[]): string {
  return `There ${names.length === 1 ? 'is no tool' : 'are no tools'} "${names.join('", "')}".`
}
