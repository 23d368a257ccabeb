/** A command got wrong options or data it cannot use. The message is enough to fix it. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code = 'bad_input'
}
