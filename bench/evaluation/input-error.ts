/** The command was called wrongly or given data it cannot use. The message is all a person needs. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code = 'bad_input'
}
