import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ToolList } from '../catalogue/fixed-tools.ts'
import { deleteOldest } from '../delete-oldest.ts'
import type { Ranker } from '../ranking/ranker.ts'
import { createNameIndex, type NameIndex } from '../tool-search/name-index.ts'
import type { RemoteTools } from './remote-tools.ts'
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
  /** The names of all tools, visible or not. Built on the first call. */
  names(): Pick<NameIndex, 'find'>
  /** Only if `tools` has those tools of a catalogue outside of this process that are in use. */
  readonly remote?: RemoteTools
  /** Returns a function that divides the tools that the access allows. */
  divider(access: ToolAccess | undefined): () => ToolDivision
}

/** The tools that belong to one conversation. They can change. */
export interface OwnToolSet extends ToolSet {
  readonly tools: Catalogue
}

const MAX_DIVIDERS = 16

export function createToolSet(
  tools: ToolList & Partial<Pick<Catalogue, 'subscribe'>>,
  createRanker: () => Ranker,
  divideOptions: Omit<DivideOptions, 'catalogue' | 'access'>,
): ToolSet {
  let ranker: Ranker | undefined
  let names: NameIndex | undefined
  /** By allow-list: sessions with the same one share their division and its announcement. */
  const dividers = new Map<string, () => ToolDivision>()
  const divideAll = createDivider({ ...divideOptions, catalogue: tools })
  return {
    tools,
    ranker() {
      ranker ??= buildRanker()
      return ranker
    },
    names() {
      names ??= buildNames()
      return names
    },
    divider,
  }

  function divider(access: ToolAccess | undefined): () => ToolDivision {
    if (access === undefined) return divideAll
    const key = access.names && JSON.stringify(access.names)
    const divide =
      (key !== undefined && dividers.get(key)) ||
      createDivider({ ...divideOptions, catalogue: tools, access })
    if (key !== undefined) {
      // deleting it first makes it the most recently used entry
      dividers.delete(key)
      dividers.set(key, divide)
      deleteOldest(dividers, MAX_DIVIDERS)
    }
    return divide
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
  function buildNames(): NameIndex {
    const built = createNameIndex()
    for (const { name } of tools.tools()) built.add(name)
    tools.subscribe?.(({ added, removed }) => {
      for (const { name } of removed) built.delete(name)
      for (const { name } of added) built.add(name)
    })
    return built
  }
}
