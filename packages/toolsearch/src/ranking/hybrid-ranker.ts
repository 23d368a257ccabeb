import type { Tool } from '../catalogue/tool.ts'
import type { WordsQuery } from '../query/query.ts'
import type { TextVectors } from './embedder.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { HYBRID_WEIGHTS, type HybridWeights } from './hybrid-weights.ts'
import { needsOf } from './needs-of.ts'
import type { Ranker, RankOptions, ScorePart } from './ranker.ts'
import { type ToolMeaning, toolMeaning } from './tool-fields.ts'
import { createTopHits } from './top-hits.ts'
import { createVectorIndex } from './vector-index.ts'

export interface HybridRankerOptions {
  /** Where vectors come from: `toolsearch-semantics`, or an embedder of your own. */
  readonly vectors: TextVectors
  /** @default fieldedRanker() */
  readonly lexical?: Ranker
  readonly weights?: HybridWeights
}

// as many hits by words as can matter beside those by meaning
const LEXICAL_HITS = 100
const NEAREST = 100

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
  const slotOf = new Map<string, number>()
  const tools: (Tool | undefined)[] = []
  const places: number[] = []
  const freeSlots: number[] = []
  /** Slots whose vector is still to come, by the text it is the vector of. */
  const waiting = new Map<string, Set<number>>()
  let nextPlace = 0

  vectors.onVector?.((text) => {
    const vector = vectors.embed(text)
    for (const slot of waiting.get(text) ?? []) {
      const tool = tools[slot]
      // the tool may be gone or another by now
      if (vector && tool && toolMeaning(tool).whole === text) index.set(slot, toUnit(vector))
    }
    waiting.delete(text)
  })

  return {
    name: 'hybrid',
    ...(vectors.prepare && { prepare: (text: string) => vectors.prepare!(text) }),
    set(tool) {
      lexical.set(tool)
      const known = slotOf.get(tool.name)
      const slot = known ?? freeSlots.pop() ?? tools.length
      if (known === undefined) places[slot] = nextPlace++
      slotOf.set(tool.name, slot)
      tools[slot] = tool
      const meaning = toolMeaning(tool)
      const vector = vectors.prepare ? vectors.embed(meaning.whole) : emphasised(meaning)
      if (vector) index.set(slot, toUnit(vector))
      else {
        index.delete(slot)
        waiting.set(meaning.whole, (waiting.get(meaning.whole) ?? new Set()).add(slot))
      }
    },
    delete(name) {
      lexical.delete(name)
      const slot = slotOf.get(name)
      if (slot === undefined) return
      slotOf.delete(name)
      waiting.get(toolMeaning(tools[slot]!).whole)?.delete(slot)
      tools[slot] = undefined
      index.delete(slot)
      freeSlots.push(slot)
    },
    rank(query, options) {
      const mix = readQuery(query, options)
      if (mix === undefined) return lexical.rank(query, options)
      const top = createTopHits(options)
      for (const slot of mix.candidates) {
        top.offer(tools[slot]!, mix.byWords(slot) + mix.byMeaning(slot), places[slot]!)
      }
      return { hits: top.hits(), doubtBelow: mix.isDoubtful ? Number.POSITIVE_INFINITY : 0 }
    },
    explain(query, name, options) {
      const slot = slotOf.get(name)
      if (slot === undefined) return []
      const limit = Number.POSITIVE_INFINITY
      const mix = readQuery(query, { limit, ties: 'catalogue', ...options })
      const parts = lexical.explain(query, name, options)
      if (mix === undefined) return parts
      const score = parts.reduce((sum, { weight }) => sum + weight, 0)
      const scale = mix.byWords(slot) / (score || 1)
      return [
        ...parts.map((part) => ({ ...part, weight: part.weight * scale })),
        ...explainMeaning(query.text, tools[slot]!, mix.byMeaning(slot)),
      ].filter(({ weight }) => weight > 0)
    },
  }

  /** Where vectors cost nothing: the name and the parameters once more, or a long text drowns them. */
  function emphasised({ whole, name, parameters }: ToolMeaning): Float32Array | undefined {
    const vector = vectors.embed(whole)
    if (vector === undefined) return undefined
    const sum = toUnit(vector)
    const parts = [
      [name, weights.name],
      [parameters, weights.parameters],
    ] as const
    for (const [text, weight] of parts) {
      const part = toUnit(vectors.embed(text) ?? new Float32Array(sum.length))
      for (let i = 0; i < sum.length; i++) sum[i]! += weight * part[i]!
    }
    return sum
  }

  /** All that depends on the query, or undefined when its meaning is not known. */
  function readQuery(query: WordsQuery, { limit, ties, accepts }: RankOptions) {
    const vector = vectors.embed(query.text, 'query')
    const trust = vector ? length(vector) : 0
    if (vector === undefined || trust === 0) return undefined
    const meaning = toUnit(vector)

    const hits = Math.max(LEXICAL_HITS, limit)
    const found = lexical.rank(query, { limit: hits, ties, ...(accepts && { accepts }) })
    const best = found.hits[0]?.score ?? 0
    // beside the best hit, or one word of six in common would count as much as six of six
    const whole = Math.sqrt((found.ideal ?? best) * best) || 1
    const words = new Map(
      found.hits.map(({ tool, score }) => [slotOf.get(tool.name)!, score / whole]),
    )

    const near = index.nearest(meaning, Math.max(NEAREST, limit), (slot) => {
      const tool = tools[slot]
      return tool !== undefined && (!accepts || accepts(tool))
    })
    const candidates = new Set([...words.keys(), ...near])
    // vectors that have to be asked for would come too late for this query
    const needTexts = vectors.prepare ? [] : needsOf(query.text)
    const needs = needTexts.map((need) => toUnit(vectors.embed(need, 'query') ?? meaning))
    const likeness = new Map<number, number>()
    let nearestLikeness = 0
    for (const slot of candidates) {
      const cosine = Math.max(index.cosine(slot, meaning), 0)
      let ofNeeds = 0
      for (const need of needs) ofNeeds = Math.max(ofNeeds, index.cosine(slot, need))
      const value = needs.length === 0 ? cosine : (cosine + ofNeeds) / 2
      likeness.set(slot, value)
      nearestLikeness = Math.max(nearestLikeness, value)
    }
    const total = 1 + weights.words
    return {
      candidates,
      byWords: (slot: number) => (weights.words * (words.get(slot) ?? 0)) / total,
      byMeaning: (slot: number) =>
        nearestLikeness === 0 ? 0 : (trust * (likeness.get(slot) ?? 0)) / nearestLikeness / total,
      isDoubtful: best < (found.doubtBelow ?? 0) && trust * nearestLikeness < weights.doubt,
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

function toUnit(vector: Float32Array): Float32Array {
  const size = length(vector) || 1
  return vector.map((value) => value / size)
}

function length(vector: Float32Array): number {
  return Math.sqrt(dot(vector, vector))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
