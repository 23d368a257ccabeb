import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ToolList } from '../catalogue/fixed-tools.ts'
import type { Ranker } from '../ranking/ranker.ts'
import {
  createDivider,
  type DivideOptions,
  type ToolAccess,
  type ToolDivision,
} from './tool-division.ts'

/** A set of tools, and everything derived from them. */
export interface ToolSet {
  readonly tools: ToolList
  /** Built on the first call. */
  ranker(): Ranker
  /** Returns a function that divides the tools that the access allows. */
  divider(access: ToolAccess | undefined): () => ToolDivision
}

export function createToolSet(
  tools: ToolList & Partial<Pick<Catalogue, 'subscribe'>>,
  createRanker: () => Ranker,
  divideOptions: Omit<DivideOptions, 'catalogue' | 'access'>,
): ToolSet {
  let ranker: Ranker | undefined
  const divideAll = createDivider({ ...divideOptions, catalogue: tools })
  return {
    tools,
    ranker() {
      ranker ??= buildRanker()
      return ranker
    },
    divider: (access) =>
      access ? createDivider({ ...divideOptions, catalogue: tools, access }) : divideAll,
  }

  function buildRanker(): Ranker {
    const built = createRanker()
    for (const tool of tools.tools()) built.set(tool)
    tools.subscribe?.(({ added, replaced, removed }) => {
      for (const tool of removed) built.delete(tool.name)
      for (const tool of [...replaced, ...added]) built.set(tool)
    })
    return built
  }
}
