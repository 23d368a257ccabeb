import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { promotionIn } from '../words/promotional-text.ts'
import { STOP_WORDS } from '../words/stop-words.ts'
import { type Word, wordsOf } from '../words/words.ts'
import type { Ranking } from './ranker.ts'
import { reorder } from './reorder.ts'
import { localName, MAX_TEXT, sourceName } from './tool-fields.ts'

/** So many tools of one server count in full, and each further one this much. */
const FULL_TOOLS = 3
const FURTHER = 0.9
/** How much a tool counts that promotes itself, or copies another one. */
const SUSPECT = 0.3
/** How much a tool counts that lists words. */
const LISTED = 0.6
const LIST_WORDS = 8
const LIST_WORDS_IN_NAME = 10
/** So many times a text has each of its words, on average, to count as repetitive. One in a hundred published texts has more. */
const REPETITIVE = 1.9
/** So many words of a copy may be new, as a share of the words of the original. */
const MAX_ADDED = 0.25
/** Of a description. Servers write it, and it can be long. */
const MAX_READ = 1_000
const NOT_LATIN = /[^\p{Script=Latin}\d]/u
/** What is added to a name to look like a newer or better version of another tool. */
const CLAIM =
  /^(?:v?\d+|new|pro|plus|best|fast|safe|secure|official|verified|improved|enhanced|advanced|updated|latest|better)$/

/**
 * Ranks tools that try to be found by how they are written after others that fit: those that promote themselves,
 * copy a tool of another server, or list words, unless the query is their name. Also further tools of a
 * server after those of others that fit nearly as well. Does not apply to a server that the query names. Looks at
 * the first `depth` hits.
 */
export function fairPlaces(ranking: Ranking, query: WordsQuery, depth: number): Ranking {
  const words = wordsOf(query.text)
  const wholes = new Set(words.map(({ whole }) => whole))
  const name = piecesOf(words).join(' ')
  const first = ranking.hits.slice(0, depth)
  const known = first.map(({ tool }) => identityOf(tool))
  const counts = new Map<string, number>()
  const hits = first.map((hit, at) => {
    const own = known[at]!
    if (own.sourceWords.some((word) => wholes.has(word))) return hit
    const count = (counts.get(own.source) ?? 0) + 1
    counts.set(own.source, count)
    const isCopy = own.isSuspect && known.some((other) => copies(own, other))
    const isNamed = own.share === LISTED && own.names.join(' ') === name
    const further = count > FULL_TOOLS && own.source !== '' ? FURTHER : 1
    const factor = further * (isCopy ? SUSPECT : isNamed ? 1 : own.share)
    return factor === 1 ? hit : { ...hit, score: hit.score * factor }
  })
  // The scores of a ranking that stays as it is say how sure it is.
  if (hits.every((hit, at) => at === 0 || hit.score <= hits[at - 1]!.score)) return ranking
  const sorted = hits.sort((a, b) => b.score - a.score)
  return reorder(ranking, [...sorted, ...ranking.hits.slice(depth)], { rule: 'places' })
}

/**
 * Whether a tool says what a tool of another server says, and gives itself away: it repeats itself, or adds a claim
 * to the name. One that is only longer may be the original: anybody can copy a part.
 */
function copies(own: Identity, other: Identity): boolean {
  if (own.origin === other.origin) return false
  const claimsMore = own.plainName === other.plainName && own.claims > other.claims
  const repeatsMore = own.isRepetitive && !other.isRepetitive
  return (
    (claimsMore || repeatsMore) &&
    own.words.size <= (1 + MAX_ADDED) * other.words.size &&
    [...other.words].every((word) => own.words.has(word))
  )
}

interface Identity {
  /** `Tool.source`, and the source that the ranking uses, with its words. */
  readonly origin: string
  readonly source: string
  readonly sourceWords: readonly string[]
  readonly names: readonly string[]
  /** The words of the name without claims, and how many claims it has. */
  readonly plainName: string
  readonly claims: number
  /** The words of the description, each of them once. */
  readonly words: ReadonlySet<string>
  readonly isRepetitive: boolean
  /** Whether the tool gives itself away if it copies another one. */
  readonly isSuspect: boolean
  /** How much the tool counts, by how it describes itself. */
  readonly share: number
}

const identities = new WeakMap<Tool, Identity>()

function identityOf(tool: Tool): Identity {
  const known = identities.get(tool)
  if (known) return known
  const names = piecesOf(wordsOf(localName(tool)))
  const plain = names.filter((word, at) => at === 0 || !CLAIM.test(word))
  const words = piecesOf(wordsOf(tool.description.slice(0, MAX_READ)))
  const isList = isWordList(words, LIST_WORDS) || isWordList(names, LIST_WORDS_IN_NAME)
  const promotes = promotionIn(tool.description.slice(0, MAX_TEXT)) !== undefined
  const source = sourceName(tool)
  const claims = names.length - plain.length
  const repeats = isRepetitive(words)
  const identity = {
    origin: tool.source,
    source,
    sourceWords: wordsOf(source).map(({ whole }) => whole),
    names,
    plainName: plain.join(' '),
    claims,
    words: new Set(words),
    isRepetitive: repeats,
    isSuspect: claims > 0 || repeats,
    share: promotes ? SUSPECT : isList ? LISTED : 1,
  }
  identities.set(tool, identity)
  return identity
}

function piecesOf(words: readonly Word[]): string[] {
  return words.flatMap(({ whole, pieces }) => (pieces.length > 0 ? pieces : [whole]))
}

/** Whether words are a list to be found by, rather than sentences: nearly nothing connects them. */
function isWordList(words: readonly string[], least: number): boolean {
  if (words.length < least || words.some((word) => NOT_LATIN.test(word))) return false
  return words.filter((word) => STOP_WORDS.has(word)).length < 0.1 * words.length
}

function isRepetitive(words: readonly string[]): boolean {
  const content = words.filter((word) => !STOP_WORDS.has(word))
  return content.length > REPETITIVE * new Set(content).size
}
