/** The command line is right, but the command could not do its work. Exit code 1 instead of 2. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly code = 'failed'
}
