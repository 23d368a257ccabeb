import { ToolSearchError } from '../tool-search-error.ts'

/** The engine of a catalogue couldn't answer, for example because its database is not reachable. */
export class EngineError extends ToolSearchError {
  override readonly name = 'EngineError'
  readonly code = 'engine_failed'

  constructor(problem: string, options?: ErrorOptions) {
    super(problem)
    if (options?.cause !== undefined) this.cause = options.cause
  }
}
