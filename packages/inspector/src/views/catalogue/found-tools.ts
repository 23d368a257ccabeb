import type { ToolLine } from '../../api/contract.ts'

/** The lines of the tools that were found, in that order; all of them when nobody searched. */
export function foundTools(
  tools: readonly ToolLine[],
  hits: readonly { readonly name: string }[] | undefined,
): readonly ToolLine[] {
  if (hits === undefined) return tools
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  // a hit may be newer than the list
  return hits.flatMap(({ name }) => byName.get(name) ?? [])
}
