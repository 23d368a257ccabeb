/** Why a configuration cannot be used: where, what is wrong, and what to do about it. */
export interface ConfigProblem {
  readonly file: string
  /** Counted from 1, as editors do. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** Names keys, never the values of secrets. */
  readonly message: string
  readonly fix: string
}

/**
 * A problem as two lines of text; terminals and editors make the first part a link.
 *
 * @example
 * formatProblem(problem)
 * // servers.json:4:7 Unknown key "comand" in mcpServers.git.
 * //   Did you mean "command"?
 */
export function formatProblem({ file, line, column, message, fix }: ConfigProblem): string {
  return `${file}:${line}:${column} ${message}\n  ${fix}`
}
