/**
 * What a server's name looks like in front of its tools' names: letters, digits, `-` and single
 * `_`, the characters that every client and provider lets through. It holds no `__` and has no `_`
 * at its ends, so `prefix__tool` can be taken apart again. Empty if nothing of the name is left.
 *
 * @example
 * toolPrefix('Brave Search (beta)') // 'Brave_Search_beta'
 */
export function toolPrefix(name: string): string {
  const prefix = name.replace(/[^A-Za-z0-9-]+/g, '_')
  // runs were made one, so there is at most one at each end
  return prefix.slice(prefix.startsWith('_') ? 1 : 0, prefix.endsWith('_') ? -1 : undefined)
}

/** Leaves a tool's own name half of the 128 characters that a name may have. */
export const MAX_PREFIX_LENGTH = 62
