import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { needsOf } from '../semantics/needs-of.ts'
import { createTopics, type Topic } from '../semantics/topics.ts'
import { createVectorIndex } from '../semantics/vector-index.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { HYBRID_WEIGHTS, type HybridWeights } from './hybrid-weights.ts'
import type { Ranker, Ranking, RankOptions, ScorePart } from './ranker.ts'
import { type ToolMeaning, toolMeaning } from './tool-fields.ts'
import { createToolSlots } from './tool-slots.ts'
import { createTopHits, type TopHits } from './top-hits.ts'

export interface HybridRankerOptions {
  /** Where vectors come from: `toolsearch-semantics`, or an embedder of your own. */
  readonly vectors: TextVectors
  /** @default fieldedRanker() */
  readonly lexical?: Ranker
  readonly weights?: HybridWeights
}

// what has half of all a query could ask for is no coincidence, whatever it means
const PLAIN_SHARE = 0.5

/**
 * Ranks by matching words and by likeness of meaning. Words count by how much of what the query
 * could ask for a tool has; meaning counts by how near it comes to the nearest tool, and less when
 * little of the query is understood. A query of several needs is compared need by need.
 */
export function hybridRanker({
  vectors,
  lexical = fieldedRanker(),
  weights = HYBRID_WEIGHTS,
}: HybridRankerOptions): Ranker {
  const index = createVectorIndex(vectors.dimensions)
  const slots = createToolSlots()
  const { tools, places } = slots
  /** By slot, the scores by words of the query at hand. */
  let words = new Float64Array()
  /** Lists of likeness by slot that queries use one after the other: they are long, and garbage is dear. */
  const lists: Float32Array[] = []
  /** Slots whose vector is still to come, by the text it is the vector of. */
  const waiting = new Map<string, Set<number>>()
  const topics = createTopics({
    texts: vectors.topics ?? [],
    dimensions: vectors.dimensions,
    embed: (text) => {
      const vector = vectors.embed(text)
      return vector && ofLength(vector, 1)
    },
  })
  /** How near the nearest tool comes to a topic, until a tool changes. */
  const served = new Map<Topic, number>()

  vectors.onVector?.((text) => {
    served.clear()
    const vector = vectors.embed(text)
    for (const slot of waiting.get(text) ?? []) {
      const tool = tools[slot]
      // the tool may be gone or another by now
      if (vector && tool && toolMeaning(tool).whole === text) index.set(slot, ofLength(vector, 1))
    }
    waiting.delete(text)
  })

  return {
    name: 'hybrid',
    ...(vectors.prepare && { prepare: (text: string) => vectors.prepare!(text) }),
    set(tool) {
      served.clear()
      lexical.set(tool)
      const slot = slots.set(tool)
      const meaning = toolMeaning(tool)
      const vector = vectors.prepare ? vectors.embed(meaning.whole) : emphasised(meaning)
      if (vector) index.set(slot, ofLength(vector, 1))
      else {
        index.delete(slot)
        waiting.set(meaning.whole, (waiting.get(meaning.whole) ?? new Set()).add(slot))
      }
    },
    delete(name) {
      served.clear()
      lexical.delete(name)
      const slot = slots.of(name)
      if (slot === undefined) return
      waiting.get(toolMeaning(tools[slot]!).whole)?.delete(slot)
      index.delete(slot)
      slots.delete(name)
    },
    rank(query, options) {
      const mix = readQuery(query, options.accepts)
      if (mix === undefined) return lexical.rank(query, options)
      const top = createTopHits(options)
      offerAll(mix, top)
      const { isDoubtful, nearerTo } = mix.doubt
      return {
        hits: top.hits(),
        doubtBelow: isDoubtful ? Number.POSITIVE_INFINITY : 0,
        ...(isDoubtful && nearerTo !== undefined && { nearerTo }),
      }
    },
    explain(query, name, options) {
      const slot = slots.of(name)
      if (slot === undefined || options?.accepts?.(tools[slot]!) === false) return []
      const mix = readQuery(query, options?.accepts)
      const parts = lexical.explain(query, name, options)
      if (mix === undefined) return parts
      return [
        ...parts.map((part) => ({ ...part, weight: part.weight * mix.perWord })),
        ...explainMeaning(query.text, tools[slot]!, mix.likeness[slot]! * mix.perLikeness),
      ].filter(({ weight }) => weight > 0)
    },
  }

  /** Where vectors cost nothing: the name and the parameters once more, or a long text drowns them. */
  function emphasised({ whole, name, parameters }: ToolMeaning): Float32Array | undefined {
    const vector = vectors.embed(whole)
    if (vector === undefined) return undefined
    const sum = ofLength(vector, 1)
    const parts = [
      [name, weights.name],
      [parameters, weights.parameters],
    ] as const
    for (const [text, weight] of parts) {
      const part = ofLength(vectors.embed(text) ?? new Float32Array(sum.length), 1)
      for (let i = 0; i < sum.length; i++) sum[i]! += weight * part[i]!
    }
    return sum
  }

  /** What counts for each slot, or undefined when the meaning of the query is not known. */
  function readQuery(query: WordsQuery, accepts: RankOptions['accepts']): Mix | undefined {
    const meaning = vectors.embed(query.text, 'query')
    const trust = meaning ? length(meaning) : 0
    if (meaning === undefined || trust === 0) return undefined
    const isAccepted = (slot: number) => !accepts || accepts(tools[slot]!)

    if (words.length < tools.length) words = new Float64Array(2 * tools.length)
    words.fill(0)
    let best = 0
    const found = lexicalScores(query, accepts, (slot, score) => {
      words[slot] = score
      if (score > best && isAccepted(slot)) best = score
    })
    const ideal = found.ideal ?? best
    const multiple = found.doubtBelow ? best / found.doubtBelow : Number.POSITIVE_INFINITY
    // a query that is understood and has hardly a word in common with any tool was put in others
    const weak = trust ** 2 * Math.max(0, 1 - multiple / weights.plain)
    // beside the best hit, or one word of six in common would count as much as six of six
    const whole = Math.sqrt(ideal * best) / (1 - weak) || 1

    const likeness = likenessTo(meaning, 0)
    // vectors that have to be asked for would come too late for this query
    const needs = vectors.prepare ? [] : needsOf(query.text)
    if (needs.length > 0) {
      const ofNeeds = needs.map((need) => ofLength(vectors.embed(need, 'query') ?? meaning, trust))
      addNearest(
        likeness,
        ofNeeds.map((need, at) => likenessTo(need, at + 1)),
      )
    }
    const nearest = largest(likeness, isAccepted)
    const total = 1 + weights.words
    return {
      words,
      likeness,
      perWord: weights.words / whole / total,
      perLikeness: trust / (nearest || 1) / total,
      doubt: doubt(),
    }

    function doubt(): Doubt {
      if (best > 0 && best >= PLAIN_SHARE * ideal) return { isDoubtful: false }
      const near = topics.nearest(ofLength(meaning!, 1))
      // what some tool is about is no reason to doubt
      const beyond = near
        ? nearest / trust - near.likeness * (1 - nearestTo(near.topic, accepts))
        : nearest / trust
      const { meaning: worth, least } = weights.doubt
      return {
        isDoubtful: multiple + trust * (worth * beyond - least) < 1,
        ...(near && beyond < 0 && { nearerTo: near.topic.text }),
      }
    }
  }

  function nearestTo(topic: Topic, accepts: RankOptions['accepts']): number {
    const known = accepts ? undefined : served.get(topic)
    if (known !== undefined) return known
    const value = largest(likenessTo(topic.vector, 1), (slot) => !accepts || accepts(tools[slot]!))
    if (!accepts) served.set(topic, value)
    return value
  }

  function likenessTo(vector: Float32Array, place: number): Float32Array {
    const likeness = index.likeness(vector, lists[place])
    lists[place] = likeness
    return likeness
  }

  function lexicalScores(
    query: WordsQuery,
    accepts: RankOptions['accepts'],
    give: (slot: number, score: number) => void,
  ): Omit<Ranking, 'hits'> {
    if (lexical.scores) return lexical.scores(query, give)
    const limit = Number.POSITIVE_INFINITY
    const ranking = lexical.rank(query, { limit, ties: 'catalogue', ...(accepts && { accepts }) })
    for (const { tool, score } of ranking.hits) give(slots.of(tool.name)!, score)
    return ranking
  }

  function offerAll({ words, likeness, perWord, perLikeness }: Mix, top: TopHits): void {
    let floor = Number.MIN_VALUE
    for (let slot = 0; slot < likeness.length; slot++) {
      const score = words[slot]! * perWord + likeness[slot]! * perLikeness
      if (score >= floor) {
        top.offer(tools[slot]!, score, places[slot]!)
        floor = Math.max(floor, top.floor())
      }
    }
  }

  /** Which words of the query and of the tool are alike, the most telling three by name. */
  function explainMeaning(text: string, tool: Tool, weight: number): ScorePart[] {
    const part = (term: string, found: string, share: number): ScorePart => ({
      term,
      found,
      field: 'meaning',
      match: 'meaning',
      weight: weight * share,
    })
    const asked = vectors.pieces?.(text) ?? []
    const offered = vectors.pieces?.(toolMeaning(tool).whole) ?? []
    const pairs = new Map<string, { term: string; found: string; product: number }>()
    for (const one of asked) {
      for (const other of offered) {
        const key = `${one.text} ${other.text}`
        const product = (pairs.get(key)?.product ?? 0) + dot(one.vector, other.vector)
        pairs.set(key, { term: one.text, found: other.text, product })
      }
    }
    const telling = [...pairs.values()].filter(({ product }) => product > 0)
    const sum = telling.reduce((total, { product }) => total + product, 0)
    const top = telling.sort((a, b) => b.product - a.product).slice(0, 3)
    const named = top.map(({ term, found, product }) => part(term, found, product / sum))
    const rest = 1 - top.reduce((total, { product }) => total + product / sum, 0)
    return [...named, part(text, tool.name, rest)]
  }
}

/** What a slot gets is `words * perWord + likeness * perLikeness`. */
interface Mix {
  readonly words: Float64Array
  readonly likeness: Float32Array
  readonly perWord: number
  readonly perLikeness: number
  readonly doubt: Doubt
}

interface Doubt {
  readonly isDoubtful: boolean
  /** What the query is nearer to than to any tool. */
  readonly nearerTo?: string
}

// loops over all slots are functions of their own: within a long one V8 leaves them slow
function largest(numbers: Float32Array, accepts: (at: number) => boolean): number {
  let best = 0
  for (let at = 0; at < numbers.length; at++) {
    if (numbers[at]! > best && accepts(at)) best = numbers[at]!
  }
  return best
}

/** Half of the likeness is that to the nearest need. */
function addNearest(likeness: Float32Array, ofNeeds: readonly Float32Array[]): void {
  for (let slot = 0; slot < likeness.length; slot++) {
    let nearest = 0
    for (const one of ofNeeds) nearest = Math.max(nearest, one[slot]!)
    likeness[slot] = (likeness[slot]! + nearest) / 2
  }
}

function ofLength(vector: Float32Array, wanted: number): Float32Array {
  const scale = wanted / (length(vector) || 1)
  return vector.map((value) => value * scale)
}

function length(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
