import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { pickEvenly } from '../evaluation/tuning-sets.ts'
import type { MemorySearch } from './memory-search.ts'
import type { Split } from './split-uses.ts'

export const WRONG_CHOICES = 50
export const REPETITIONS = 50

export type AdversaryName = 'one' | 'two' | 'sameTool' | 'sameWords'

type Attack = (
  search: MemorySearch,
  split: Split<EvaluationQuery>,
  /** Different for each attack. */
  name: string,
) => Promise<void>

/** People who make wrong choices on purpose, by name. */
export const ADVERSARIES: Readonly<Record<AdversaryName, Attack>> = {
  /** Searches with used requests, and calls the best-ranked wrong tool. */
  one: (search, { used }, name) => chooseWrong(search, used, { name, person: 'adversary' }),
  /** Two people do the same. */
  two: async (search, { used }, name) => {
    await chooseWrong(search, used, { name: `${name} 1`, person: 'adversary' })
    await chooseWrong(search, used, { name: `${name} 2`, person: 'accomplice' })
  },
  /** Calls the same tool, which no request needs, after every request. */
  sameTool: async (search, { used, measured }, name) => {
    const needed = new Set([...used, ...measured].flatMap(rightTools))
    const { tools } = search.toolSearch.catalogue
    const wrong = tools().find((tool) => !needed.has(tool.name))
    for (const [at, { query }] of used.entries()) {
      if (wrong) await teach(search, query, [wrong.name], `${name} ${at}`)
    }
  },
  /** Knows the measured requests, and teaches for each of them three wrong tools that a search does not return. */
  sameWords: async (search, { measured }, name) => {
    for (const [at, query] of measured.entries()) {
      const { toolSearch } = search
      const right = rightTools(query)
      const { hits } = toolSearch.search(query.query, { limit: 16, person: 'somebody else' })
      const wrong = hits.slice(5).filter(({ tool }) => !right.includes(tool.name))
      const names = wrong.slice(0, 3).map(({ tool }) => tool.name)
      await teach(search, query.query, names, `${name} ${at}`)
    }
  },
}

async function chooseWrong(
  { toolSearch }: MemorySearch,
  used: readonly EvaluationQuery[],
  { name, person }: { readonly name: string; readonly person: string },
): Promise<void> {
  for (const [at, query] of pickEvenly(used, WRONG_CHOICES).entries()) {
    const session = await toolSearch.session(`${name} ${at}`, { person })
    const right = rightTools(query)
    const chosen = new Set<string>()
    for (let repetition = 0; repetition < REPETITIONS; repetition++) {
      const { outcome } = await session.search({ query: query.query })
      const wrong = outcome.hits.find(({ tool }) => !right.includes(tool.name))?.tool.name
      // The same choice changes nothing any more, so neither do further repetitions.
      if (wrong === undefined || chosen.has(wrong)) break
      chosen.add(wrong)
      await session.answer({ name: wrong, arguments: {} })
    }
  }
}

/** Makes the memory believe that these tools were found by searching again. */
async function teach(
  { toolSearch }: MemorySearch,
  query: string,
  names: readonly string[],
  conversation: string,
): Promise<void> {
  for (const [at, name] of names.entries()) {
    const session = await toolSearch.session(`${conversation} ${at}`, { person: 'adversary' })
    await session.search({ query })
    // Shares its words with the first search, so both count as searches for the tool.
    const { outcome } = await session.search({ query: `${query} ${name}` })
    const isFound = outcome.hits.some(({ tool }) => tool.name === name)
    if (!isFound) await session.search({ query: `select:${name}` })
    await session.answer({ name, arguments: {} })
  }
}

function rightTools(query: EvaluationQuery): readonly string[] {
  return labelsOf(query).flatMap((label) => [...label])
}
