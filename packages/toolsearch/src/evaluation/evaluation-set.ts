/** One line of an evaluation set: a query and the tools it should find. */
export interface EvaluationQuery {
  readonly query: string
  /** Names of the tools that a search should find. Empty if no tool in the catalogue is relevant. */
  readonly relevant: readonly string[]
  /**
   * Interchangeable tools. Each group is one label, and finding any of its tools finds the label. A
   * relevant tool that is not in a group is a separate label.
   */
  readonly groups?: readonly (readonly string[])[]
  /** The kind of query (`keyword`, `typo`, …), for separate figures per kind. */
  readonly kind?: string
  /** The language of the query (`de`, `zh`, …), for separate figures per language. */
  readonly language?: string
}

/** Interchangeable tools, of which a search has to find one. */
export type Label = ReadonlySet<string>

/** The labels that a search has to find. Empty without relevant tools and groups. */
export function labelsOf({ relevant, groups = [] }: EvaluationQuery): readonly Label[] {
  const grouped = new Set(groups.flat())
  const single = [...new Set(relevant)].filter((name) => !grouped.has(name))
  return [...groups, ...single.map((name) => [name])]
    .filter((names) => names.length > 0)
    .map((names) => new Set(names))
}
