/** Invalid options or data. The message says enough to fix them, so commands print no stack trace. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly code = 'bad_input'
}
