import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import { sourceName } from '../ranking/tool-fields.ts'
import { stem } from '../words/stem.ts'
import { tellingWords, toolWords } from './catalogue-words.ts'

/** What a tool does, rather than what it is about. */
const ACTIONS = new Set(
  tellingWords(
    `get set list create add new update edit modify delete remove find search query read write fetch
    show view send run start stop open close check make call execute`,
  ).map(stem),
)
const MAX_KINDS = 12
/** Reading the names of more tools would take long and tell no more. */
const MAX_TOOLS = 2_000

/**
 * What kinds of tools there are, with the number of tools of each, most first: servers and plugins
 * or, if all tools have the same source, the most common subjects. Empty if they have none in common.
 */
export function toolKinds(tools: readonly Tool[]): Readonly<Record<string, number>> {
  const sources = count(tools.map((tool) => [sourceName(tool)]))
  const kinds = sources.length > 1 ? sources : subjectsOf(tools)
  return Object.fromEntries(kinds.filter(([name]) => name !== '').slice(0, MAX_KINDS))
}

function subjectsOf(tools: readonly Tool[]): [string, number][] {
  const spelling = new Map<string, string>()
  const subjects = tools.slice(0, MAX_TOOLS).map((tool) =>
    [...toolWords(tool)].flatMap(([key, { word, isInName }]) => {
      if (!isInName || ACTIONS.has(key)) return []
      if (!spelling.has(key)) spelling.set(key, word)
      return spelling.get(key)!
    }),
  )
  return count(subjects).filter(([, tools]) => tools > 1)
}

function count(names: readonly (readonly string[])[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || compareNames(a, b))
}
