import type { Use } from './use.ts'

/**
 * The uses beyond a limit: the oldest ones of the person with the most, so that nobody can push out what
 * others taught by using tools more often.
 */
export function excessUses(uses: readonly Use[], limit: number): readonly Use[] {
  // Most of the time there is none, and sorting takes longest.
  if (uses.length <= limit) return []
  const counts = new Map<string, number>()
  return uses
    .toSorted((a, b) => b.at - a.at)
    .map((use) => {
      const newer = counts.get(use.person) ?? 0
      counts.set(use.person, newer + 1)
      return { use, newer }
    })
    .sort((a, b) => a.newer - b.newer)
    .slice(limit)
    .map(({ use }) => use)
}
