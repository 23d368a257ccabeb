import type { Tool } from 'toolsearch'
import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { seededRandom } from '../../packages/toolsearch/src/evaluation/seeded-random.ts'
import { STOP_WORDS } from '../../packages/toolsearch/src/words/stop-words.ts'
import { wordsOf } from '../../packages/toolsearch/src/words/words.ts'
import type { MemorySearch } from './memory-search.ts'

export const PEOPLE = 20
const MAX_RETRY_WORDS = 4

/** What an agent does if its first search does not return a tool that it needs. */
export type OnMiss = 'search again' | 'give up'

/**
 * Each request is searched and its tools are called, by 20 people in turn. If the search does not
 * return a tool, the agent searches again in other words, and calls the tool if that returns it.
 */
export async function replayUses(
  { toolSearch }: MemorySearch,
  queries: readonly EvaluationQuery[],
  { name, onMiss }: { readonly name: string; readonly onMiss: OnMiss },
): Promise<void> {
  const random = seededRandom(queries.length)
  for (const [at, query] of queries.entries()) {
    const session = await toolSearch.session(`${name} ${at}`, { person: `person ${at % PEOPLE}` })
    const { outcome } = await session.search({ query: query.query })
    for (const label of labelsOf(query)) {
      const found = outcome.hits.find(({ tool }) => label.has(tool.name))?.tool
      const tool = found ?? (onMiss === 'give up' ? undefined : await searchAgain(label))
      if (tool) await session.answer({ name: tool.name, arguments: {} })
    }

    async function searchAgain(label: ReadonlySet<string>): Promise<Tool | undefined> {
      const wanted = [...label].map((one) => toolSearch.catalogue.get(one)).find((tool) => tool)
      if (wanted === undefined) return undefined
      const { outcome } = await session.search({ query: retryWords(wanted, random) })
      return outcome.hits.find(({ tool }) => label.has(tool.name))?.tool
    }
  }
}

/**
 * What a model writes that knows what it wants, but not how the tool is called: half of the words in
 * the first sentence of the description, at most four.
 */
function retryWords({ name, description = '' }: Tool, random: () => number): string {
  const [sentence] = description.split(/[.。!?\n]/).filter((part) => part.trim() !== '')
  const words = new Set(
    wordsOf(sentence ?? name)
      .map(({ whole }) => whole)
      .filter((word) => !STOP_WORDS.has(word)),
  )
  const count = Math.min(MAX_RETRY_WORDS, Math.ceil(words.size / 2))
  const chosen = [...words]
    .map((word, at) => ({ word, at, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
  return chosen.map(({ word }) => word).join(' ')
}
