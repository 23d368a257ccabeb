import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { promotionIn } from '../words/promotional-text.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { wordsOf } from '../words/words.ts'
import type { Ranking } from './ranker.ts'
import { reorder } from './reorder.ts'
import { localName, MAX_TEXT, sourceName } from './tool-fields.ts'

/** So many tools of one server count in full, and each further one this much. */
const FULL_TOOLS = 3
const FURTHER = 0.9
/** How much a tool counts that promotes itself or gives orders. */
const PROMOTED = 0.3
/** How much a tool counts that lists words. */
const LISTED = 0.6
const LIST_WORDS = 8
const LIST_WORDS_IN_NAME = 10
const MAX_READ = 500
const NOT_LATIN = /[^\p{Script=Latin}\d]/u

/**
 * Ranks further tools of a server after those of others that fit nearly as well: many similar tools
 * must not keep all others out of sight. Does not apply to a server that the query names. Tools that
 * promote themselves come after others that fit, and so do tools that list words to be found by, unless the
 * query is their name. Looks at the first `depth` hits.
 */
export function fairPlaces(ranking: Ranking, query: WordsQuery, depth: number): Ranking {
  const namesServer = serverNaming(query)
  const name = plain(query.text)
  const counts = new Map<string, number>()
  const hits = ranking.hits.slice(0, depth).map((hit) => {
    const source = sourceName(hit.tool)
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    const isFurther = count > FULL_TOOLS && source !== '' && !namesServer(hit.tool)
    const share = shareOf(hit.tool)
    const isNamed = share === LISTED && name === plain(localName(hit.tool))
    const factor = (isFurther ? FURTHER : 1) * (isNamed ? 1 : share)
    return factor === 1 ? hit : { ...hit, score: hit.score * factor }
  })
  const sorted = [...hits].sort((a, b) => b.score - a.score)
  // The scores of a ranking that stays as it is say how sure it is.
  if (sorted.every((hit, at) => hit === hits[at])) return ranking
  return reorder(ranking, [...sorted, ...ranking.hits.slice(depth)], { rule: 'places' })
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

/** Tells whether a query names the server of a tool. */
export function serverNaming({ text }: WordsQuery): (tool: Tool) => boolean {
  const words = new Set(wordsOf(text).map(({ whole }) => whole))
  return (tool) => wordsOf(sourceName(tool)).some(({ whole }) => words.has(whole))
}

const shares = new WeakMap<Tool, number>()

/** How much a tool counts, by how it describes itself. */
function shareOf(tool: Tool): number {
  const known = shares.get(tool)
  if (known !== undefined) return known
  const text = tool.description.slice(0, MAX_TEXT)
  const isList = isWordList(text, LIST_WORDS) || isWordList(localName(tool), LIST_WORDS_IN_NAME)
  const share = promotionIn(text) !== undefined ? PROMOTED : isList ? LISTED : 1
  shares.set(tool, share)
  return share
}

/** Whether a text is a list of words to be found by, rather than sentences: nearly nothing connects them. */
function isWordList(text: string, least: number): boolean {
  const words = wordsOf(text.slice(0, MAX_READ)).flatMap(({ whole, pieces }) =>
    pieces.length > 0 ? pieces : [whole],
  )
  if (words.length < least || words.some((word) => NOT_LATIN.test(word))) return false
  return words.filter((word) => STOP_WORDS.has(word)).length < 0.1 * words.length
}
