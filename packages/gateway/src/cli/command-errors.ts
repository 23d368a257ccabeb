/** The command line is wrong, or a file it names cannot be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'usage'
}

/** The command line is right, but the command could not do its work. Exit code 1 instead of 2. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code = 'failed'
}

/** @example noSuchTools(['a', 'b']) // 'There are no tools "a", "b".' */
export function noSuchTools(names: readonly string[]): string {
  const start = names.length === 1 ? 'There is no tool' : 'There are no tools'
  return `${start} "${names.join('", "')}".`
}
