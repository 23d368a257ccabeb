import { ToolSearchError } from 'toolsearch'
import type { ConfigProblem } from './config-problem.ts'

/** The configuration is invalid. `problems` has one entry for each mistake. */
export class ConfigError extends ToolSearchError {
  override readonly name = 'ConfigError'
  readonly code = 'invalid_config'
  readonly problems: readonly ConfigProblem[]

  constructor(message: string, problems: readonly ConfigProblem[]) {
    super(message)
    this.problems = problems
  }
}
