/** One line of an evaluation set: what was asked, and which tools would serve it. */
export interface EvaluationQuery {
  readonly query: string
  /** Names of the tools that should be found. None: nothing in the catalogue serves this query. */
  readonly relevant: readonly string[]
  /**
   * Tools that can stand in for each other: each inner list is one label, hit when any of its
   * tools is found. A relevant tool in no group is a label of its own.
   */
  readonly groups?: readonly (readonly string[])[]
  /** What sort of query this is, for figures of each sort: `keyword`, `typo`, … */
  readonly kind?: string
  readonly language?: string
}

/** The tools that each hit one label. */
export type Label = ReadonlySet<string>

/** What a search has to find for a query; empty when nothing serves it. */
export function labelsOf({ relevant, groups = [] }: EvaluationQuery): readonly Label[] {
  const grouped = new Set(groups.flat())
  const single = [...new Set(relevant)].filter((name) => !grouped.has(name))
  return [...groups, ...single.map((name) => [name])]
    .filter((names) => names.length > 0)
    .map((names) => new Set(names))
}
