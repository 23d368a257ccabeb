const STATEMENT_START = /(?:^|[\n;}])[^\S\n]*(?=await\b)/g
/** Lines within the last statement can start with `await` as well. */
const MAX_ATTEMPTS = 20

/**
 * Whether the last statement of a script starts with `await`, as in `await main()`.
 *
 * @param canCompile whether this is valid JavaScript
 */
export function endsWithAwait(body: string, canCompile: (body: string) => boolean): boolean {
  return (
    [...body.matchAll(STATEMENT_START)]
      .map(({ index, 0: { length } }) => index + length)
      .slice(-MAX_ATTEMPTS)
      // Only a single statement can be between `if` and `else`.
      .some((at) => canCompile(`${body.slice(0, at)}if (0) ${body.slice(at)}\nelse;`))
  )
}
