/**
 * The token without surrounding white space. Undefined if nothing is left: `TOOLSEARCH_TOKEN=` in a
 * compose file means that nobody has chosen a token, not that everybody knows it.
 */
export function usableToken(token: string | undefined): string | undefined {
  return token?.trim() || undefined
}
