import { ToolSearchError } from '../tool-search-error.ts'

/** An option has a wrong value, or there is no such option. `option` says which one. */
export class InvalidOptionError extends ToolSearchError {
  override readonly name = 'InvalidOptionError'
  readonly code = 'invalid_option'
  /** A path such as `activation.toolCount`. */
  readonly option: string
  readonly value: unknown

  constructor(option: string, value: unknown, message: string) {
    super(message)
    this.option = option
    this.value = value
  }
}
