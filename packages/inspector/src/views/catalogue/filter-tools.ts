import type { ToolLine } from '../../api/contract.ts'

/** The filters and the order of the catalogue, as they appear in the URL. */
export interface ToolFilter {
  readonly server?: string | undefined
  readonly effect?: string | undefined
  /** `pinned`, `changed`, `withheld` or `issues`. */
  readonly state?: string | undefined
  /** At least this many tokens. */
  readonly cost?: string | undefined
  readonly sort?: string | undefined
}

/**
 * Filters and sorts tools. Without `sort` they keep their order, which is by name or, after a
 * search, best first.
 *
 * @param withIssues names of the tools with an issue
 */
export function filterTools(
  tools: readonly ToolLine[],
  { server, effect, state, cost, sort }: ToolFilter,
  withIssues: ReadonlySet<string>,
): readonly ToolLine[] {
  const leastTokens = Number(cost ?? 0) || 0
  const isInState = states[state ?? '']
  const wanted = tools.filter(
    (tool) =>
      (server === undefined || tool.server === server) &&
      (effect === undefined || tool.effect === effect) &&
      tool.tokens >= leastTokens &&
      (isInState === undefined || isInState(tool, withIssues)),
  )
  const compare = orders[sort ?? '']
  return compare === undefined ? wanted : wanted.toSorted(compare)
}

const states: Partial<
  Record<string, (tool: ToolLine, withIssues: ReadonlySet<string>) => boolean>
> = {
  pinned: ({ isPinned }) => isPinned,
  changed: ({ isChanged }) => isChanged,
  withheld: ({ withheld }) => withheld !== undefined,
  issues: ({ name }, withIssues) => withIssues.has(name),
}

const orders: Partial<Record<string, (a: ToolLine, b: ToolLine) => number>> = {
  name: byName,
  tokens: (a, b) => b.tokens - a.tokens || byName(a, b),
  server: (a, b) => Number(a.server > b.server) - Number(a.server < b.server) || byName(a, b),
}

function byName(a: ToolLine, b: ToolLine): number {
  return Number(a.name > b.name) - Number(a.name < b.name)
}
