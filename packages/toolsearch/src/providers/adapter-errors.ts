import { ToolSearchError } from '../tool-search-error.ts'

/** A mode that this provider does not have. */
export class UnknownModeError extends ToolSearchError {
  override readonly name = 'UnknownModeError'
  readonly code = 'unknown_mode'

  constructor(mode: string, provider: string, known: readonly string[]) {
    super(`There is no mode "${mode}" for ${provider}. It has ${known.join(', ')}.`)
  }
}

/** A mode that this model cannot have. */
export class UnsupportedModeError extends ToolSearchError {
  override readonly name = 'UnsupportedModeError'
  readonly code = 'unsupported_mode'

  constructor(mode: string, reason: string, others: readonly string[]) {
    super(`Mode "${mode}" cannot be used: ${reason}. Use ${others.join(', ')}.`)
  }
}

/** `messages` was called without the output of a call. */
export class MissingOutputError extends ToolSearchError {
  override readonly name = 'MissingOutputError'
  readonly code = 'missing_output'

  constructor(tool: string) {
    super(`The output of "${tool}" is missing: give messages() one output for each of step.calls.`)
  }
}
