import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { promotionIn } from '../words/promotional-text.ts'
import { wordsOf } from '../words/words.ts'
import type { Ranking } from './ranker.ts'
import { reorder } from './reorder.ts'
import { MAX_TEXT, sourceName } from './tool-fields.ts'

/** So many tools of one server count in full, and each further one this much. */
const FULL_TOOLS = 3
const FURTHER = 0.9
/** How much a tool counts that promotes itself or gives orders. */
const PROMOTED = 0.3

/**
 * Ranks further tools of a server after those of others that fit nearly as well: many similar tools
 * must not keep all others out of sight. Does not apply to a server that the query names. Tools that
 * promote themselves come after all others that fit. Looks at the first `depth` hits.
 */
export function fairPlaces(ranking: Ranking, query: WordsQuery, depth: number): Ranking {
  const namesServer = serverNaming(query)
  const counts = new Map<string, number>()
  const hits = ranking.hits.slice(0, depth).map((hit) => {
    const source = sourceName(hit.tool)
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    const isFurther = count > FULL_TOOLS && source !== '' && !namesServer(hit.tool)
    const factor = (isFurther ? FURTHER : 1) * (promotesItself(hit.tool) ? PROMOTED : 1)
    return factor === 1 ? hit : { ...hit, score: hit.score * factor }
  })
  const sorted = [...hits].sort((a, b) => b.score - a.score)
  // The scores of a ranking that stays as it is say how sure it is.
  if (sorted.every((hit, at) => hit === hits[at])) return ranking
  return reorder(ranking, [...sorted, ...ranking.hits.slice(depth)], { rule: 'places' })
}

/** Tells whether a query names the server of a tool. */
export function serverNaming({ text }: WordsQuery): (tool: Tool) => boolean {
  const words = new Set(wordsOf(text).map(({ whole }) => whole))
  return (tool) => wordsOf(sourceName(tool)).some(({ whole }) => words.has(whole))
}

const promoting = new WeakMap<Tool, boolean>()

function promotesItself(tool: Tool): boolean {
  const known = promoting.get(tool)
  if (known !== undefined) return known
  const found = promotionIn(tool.description.slice(0, MAX_TEXT)) !== undefined
  promoting.set(tool, found)
  return found
}
