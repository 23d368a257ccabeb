import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import { rawWords, wordsOf } from '../words/words.ts'
import { serverNaming } from './fair-places.ts'
import type { Ranking } from './ranker.ts'
import { reorder } from './reorder.ts'
import { localName } from './tool-fields.ts'

/** How much a tool counts that only repeats another one. */
const REPEATED = 0.3
/** A description with fewer words says too little to be copied. */
const MIN_WORDS = 5
/** So much of a description is compared. Servers write it, and searching a long text in another takes long. */
const MAX_COMPARED = 1_000
/** So many words of a repetition may be new, as a share of the words of the original. */
const MAX_ADDED = 0.25
/** What is added to a name to look like a newer or better version of another tool. */
const CLAIM =
  /^(?:v?\d+|new|pro|plus|best|fast|safe|secure|official|verified|improved|enhanced|advanced|updated|latest|better)$/

/**
 * Puts a tool before any tool of another server that repeats it and adds to it: whatever raises a copy
 * raises the original, so nobody gains by copying. A copy that says nothing new comes after all others that
 * fit. Does not apply to tools of a server that the query names. Looks at the first `depth` hits.
 */
export function originalsFirst(ranking: Ranking, query: WordsQuery, depth: number): Ranking {
  const first = ranking.hits.slice(0, depth)
  if (new Set(first.map(({ tool }) => tool.source)).size < 2) return ranking
  const namesServer = serverNaming(query)
  const raised = new Map<Tool, number>()
  const repetitions = new Set<Tool>()
  for (const { tool, score } of first) {
    if (namesServer(tool)) continue
    for (const { tool: original } of first) {
      const relation = relationOf(tool, original)
      if (relation === 'repeats') repetitions.add(tool)
      if (relation) raised.set(original, Math.max(score, raised.get(original) ?? 0))
    }
  }
  if (raised.size === 0) return ranking
  const hits = first
    .map(({ tool, score }) =>
      repetitions.has(tool)
        ? { tool, score: score * REPEATED }
        : { tool, score: Math.max(score, raised.get(tool) ?? 0) },
    )
    .sort((a, b) => b.score - a.score || Number(raised.has(b.tool)) - Number(raised.has(a.tool)))
  const tools = [...raised.keys()].map(({ name }) => name)
  return reorder(ranking, [...hits, ...ranking.hits.slice(depth)], { rule: 'originals', tools })
}

/**
 * Whether a tool only repeats the name or the description of a tool of another server, perhaps with praise, or
 * also adds something of its own.
 */
function relationOf(tool: Tool, original: Tool): 'repeats' | 'extends' | undefined {
  if (tool.source === original.source) return undefined
  const [own, other] = [identityOf(tool), identityOf(original)]
  const hasSameName = own.name === other.name
  const claimsMore = hasSameName && own.claims > other.claims
  if (own.length <= other.length && !claimsMore) return undefined
  const saysMuch = other.length >= MIN_WORDS
  if ((saysMuch || hasSameName) && hasAll(own.words, other.words)) {
    if (own.words.size <= (1 + MAX_ADDED) * other.words.size) return 'repeats'
    if (saysMuch && own.text.includes(other.text)) return 'extends'
  }
  return claimsMore ? 'extends' : undefined
}

function hasAll(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const word of others) if (!words.has(word)) return false
  return true
}

interface Identity {
  /** The words of the name, without claims. */
  readonly name: string
  readonly claims: number
  /** The description: how many words it has, each of them once, and all in their order. */
  readonly length: number
  readonly words: ReadonlySet<string>
  readonly text: string
}

const identities = new WeakMap<Tool, Identity>()

function identityOf(tool: Tool): Identity {
  const known = identities.get(tool)
  if (known) return known
  const pieces = wordsOf(localName(tool)).flatMap(({ whole, pieces }) =>
    pieces.length > 0 ? pieces : [whole],
  )
  const name = pieces.filter((piece, at) => at === 0 || !CLAIM.test(piece))
  const words = rawWords(tool.description.slice(0, MAX_COMPARED).toLowerCase())
  const identity = {
    name: name.join(' '),
    claims: pieces.length - name.length,
    length: words.length,
    words: new Set(words),
    text: ` ${words.join(' ')} `,
  }
  identities.set(tool, identity)
  return identity
}
