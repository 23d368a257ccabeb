/**
 * The prefix of a server's tools: its name in letters, digits, `-` and single `_`, the characters
 * that every client and provider accepts. Contains no `__` and neither starts nor ends with `_`, so
 * `prefix__tool` can be split again. Empty if no character of the name is left.
 *
 * @example
 * toolPrefix('Brave Search (beta)') // 'Brave_Search_beta'
 */
export function toolPrefix(name: string): string {
  const prefix = name.replace(/[^A-Za-z0-9-]+/g, '_')
  // the replacement left at most one `_` at each end
  return prefix.slice(prefix.startsWith('_') ? 1 : 0, prefix.endsWith('_') ? -1 : undefined)
}

/** Leaves the tool's own name half of the 128 characters that MCP allows. */
export const MAX_PREFIX_LENGTH = 62
