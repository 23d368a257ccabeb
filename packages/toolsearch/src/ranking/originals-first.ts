import type { Tool } from '../catalogue/tool.ts'
import { rawWords, wordsOf } from '../words/words.ts'
import type { Ranking, ScoredTool } from './ranker.ts'
import { reorder } from './reorder.ts'
import { localName } from './tool-fields.ts'

/** A description with fewer words says too little to be copied. */
const MIN_WORDS = 5
/** So much of a description is compared. Servers write it, and searching a long text in another takes long. */
const MAX_COMPARED = 500
/** What is added to a name to look like a newer or better version of another tool. */
const CLAIM =
  /^(?:v?\d+|new|pro|plus|best|fast|safe|secure|official|verified|improved|enhanced|advanced|updated|latest|better)$/

/**
 * Puts a tool before any tool of another server that repeats it and adds to it: whatever raises a copy
 * raises the original, so nobody gains by copying. Looks at the first `depth` hits.
 */
export function originalsFirst(ranking: Ranking, depth: number): Ranking {
  const first = ranking.hits.slice(0, depth)
  if (new Set(first.map(({ tool }) => tool.source)).size < 2) return ranking
  const raised = new Set<Tool>()
  const hits: ScoredTool[] = []
  first.forEach((hit, at) => {
    if (raised.has(hit.tool)) return
    for (const { tool } of first.slice(at + 1)) {
      if (raised.has(tool) || !copies(hit.tool, tool)) continue
      raised.add(tool)
      hits.push({ tool, score: hit.score })
    }
    hits.push(hit)
  })
  if (raised.size === 0) return ranking
  const tools = [...raised].map(({ name }) => name)
  return reorder(ranking, [...hits, ...ranking.hits.slice(depth)], { rule: 'originals', tools })
}

/** Whether a tool repeats the name or the description of a tool of another server, and adds to it. */
function copies(tool: Tool, original: Tool): boolean {
  if (tool.source === original.source) return false
  const [own, other] = [identityOf(tool), identityOf(original)]
  if (own.name === other.name && own.claims > other.claims) return true
  return (
    other.words >= MIN_WORDS &&
    own.words > other.words &&
    own.description.includes(other.description)
  )
}

interface Identity {
  /** The words of the name, without claims. */
  readonly name: string
  readonly claims: number
  /** The words of the description, and how many there are. */
  readonly description: string
  readonly words: number
}

const identities = new WeakMap<Tool, Identity>()

function identityOf(tool: Tool): Identity {
  const known = identities.get(tool)
  if (known) return known
  const pieces = wordsOf(localName(tool)).flatMap(({ whole, pieces }) =>
    pieces.length > 0 ? pieces : [whole],
  )
  const name = pieces.filter((piece, at) => at === 0 || !CLAIM.test(piece))
  const words = rawWords(tool.description.slice(0, MAX_COMPARED))
  const identity = {
    name: name.join(' '),
    claims: pieces.length - name.length,
    description: ` ${words.join(' ').toLowerCase()} `,
    words: words.length,
  }
  identities.set(tool, identity)
  return identity
}
