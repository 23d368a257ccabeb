/** A set of queries, or one half of its queries, and the half of all sets it belongs to. */
export interface SetShare {
  /** A folder of public data, or one of the sets of this repository: `catalogue` or `requests`. */
  readonly set: string
  readonly half: Half
  /** Only the queries with this value of `half`, for a set whose queries are divided. */
  readonly queries?: 'a' | 'b'
  readonly group: Group
  /** How much the set counts when weights are chosen. */
  readonly weight: number
}

export type Half = 'one' | 'two'

/** Means are also reported per group: English public sets, sets in other languages, our own. */
export type Group = 'english' | 'languages' | 'own'

/**
 * Every choice is made on one half and judged on the other. Each half has an easy set, a hard set,
 * queries with several needs, other languages, and half of our own requests. The division is fixed:
 * moving a set after looking at the figures would be a choice, too.
 *
 * The two sets in other languages of a half count as one, so that four of ten sets don't decide.
 */
export const HALVES: readonly SetShare[] = [
  { set: 'azure-mcp', half: 'one', group: 'english', weight: 1 },
  { set: 'metatool', half: 'one', group: 'english', weight: 1 },
  { set: 'seal-tools-dev', half: 'one', group: 'english', weight: 1 },
  { set: 'tldr-zh', half: 'one', group: 'languages', weight: 0.5 },
  { set: 'tldr-foreign', half: 'one', group: 'languages', weight: 0.5 },
  { set: 'requests', queries: 'a', half: 'one', group: 'own', weight: 1 },

  { set: 'mcpverse', half: 'two', group: 'english', weight: 1 },
  { set: 'toollinkos', half: 'two', group: 'english', weight: 1 },
  { set: 'catalogue', half: 'two', group: 'own', weight: 1 },
  { set: 'tldr-ja', half: 'two', group: 'languages', weight: 0.5 },
  { set: 'tldr-ko', half: 'two', group: 'languages', weight: 0.5 },
  { set: 'requests', queries: 'b', half: 'two', group: 'own', weight: 1 },
]
