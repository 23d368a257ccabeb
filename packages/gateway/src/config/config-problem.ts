/** What is wrong with a configuration, where, and how to fix it. */
export interface ConfigProblem {
  readonly file: string
  /** Starts at 1, as in editors. */
  readonly line: number
  /** Starts at 1, in UTF-16 code units. */
  readonly column: number
  /** Never contains secrets. */
  readonly message: string
  readonly fix: string
  /** The server whose entry has the problem. Undefined if it concerns the whole file. */
  readonly server?: string
}

/**
 * Formats a problem as two lines. Terminals and editors turn the first part into a link.
 *
 * @example
 * formatProblem(problem)
 * // servers.json:4:7 Unknown key "comand" in server "git".
 * //   Did you mean "command"?
 */
export function formatProblem({ file, line, column, message, fix }: ConfigProblem): string {
  return `${file}:${line}:${column} ${message}\n  ${fix}`
}
