import type { Tool } from '../catalogue/tool.ts'
import { dot } from '../semantics/vector-math.ts'
import type { Meaning, Ranking, ScoredTool } from './ranker.ts'
import { sourceName } from './tool-fields.ts'

/** How many of the best hits are compared with each other. */
export const ALIKE_HITS = 40
const MIN_HITS = 10
/** So many of the first hits must have the same origin. */
const SAME_ORIGIN = 7
/** The mean cosine of two hits from which on they count as alike. */
const MIN_LIKENESS = 0.35
/** How much of what the hits have in common is ignored. */
const IGNORED = 0.5
/** How much the comparison counts; the rest is for the similarity as it was. */
const COMPARED_SHARE = 0.5
/** Keeps the distance of a hit from the centre above 0. */
const MIN_SQUARE = 1e-6

/**
 * Compares hits that resemble each other by what sets them apart. If all of them are tools of the
 * product that the query names, their similarity to the query says little about which one is meant:
 * most of it comes from the product. So the direction they share counts for less.
 */
export function compareAlike(ranking: Ranking): Ranking {
  const { meanings = [] } = ranking
  if (meanings.length === 0 || !haveOneOrigin(ranking.hits)) return ranking
  const changes = meanings.map((meaning) => changesIn(ranking.hits, meaning))
  const compared = Math.min(ranking.hits.length, ALIKE_HITS)
  if (changes.every((change) => change === undefined)) return ranking
  const hits = ranking.hits.map(({ tool, score }, at) => ({ tool, score: score + changeAt(at) }))
  // Sorting is stable: hits with equal scores keep their order.
  hits.sort((a, b) => b.score - a.score)
  return {
    ...ranking,
    hits,
    rules: [...(ranking.rules ?? []), { rule: 'alike', tools: compared }],
    ...(ranking.explain && { explain: explainer(ranking.explain) }),
  }

  function changeAt(at: number): number {
    let sum = 0
    for (const change of changes) sum += change?.[at] ?? 0
    return sum
  }

  /** Multiplies the semantic part of each score by as much as the comparison changed it. */
  function explainer(explain: Explain): Explain {
    const factors = new Map<string, number>()
    for (let at = 0; at < compared; at++) {
      const { name } = ranking.hits[at]!.tool
      let before = 0
      for (const { similarityOf, weight } of meanings) before += similarityOf(name) * weight
      factors.set(name, before > 0 ? (before + changeAt(at)) / before : 1)
    }
    return (name) =>
      explain(name).map((part) =>
        part.match === 'semantic'
          ? { ...part, weight: part.weight * (factors.get(name) ?? 1) }
          : part,
      )
  }
}

/** Whether most of the best hits belong to one server or product. Takes no time, unlike comparing vectors. */
function haveOneOrigin(hits: readonly ScoredTool[]): boolean {
  if (hits.length < MIN_HITS) return false
  const counts = new Map<string, number>()
  for (let at = 0; at < MIN_HITS; at++) {
    const origin = originOf(hits[at]!.tool)
    counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  return Math.max(...counts.values()) >= SAME_ORIGIN
}

/** The source of a tool or, if it has none with a name, the first part of its own name. */
function originOf(tool: Tool): string {
  return sourceName(tool) || (/^[A-Z]*[a-z0-9]*/.exec(tool.name)?.[0] ?? tool.name)
}

type Explain = NonNullable<Ranking['explain']>

/** The vectors of the compared hits. Queries reuse it: 40 vectors are as many bytes as a small page. */
let rows: Float32Array = new Float32Array()

/** By how much the score of each of the first hits changes; undefined if they are not alike. */
function changesIn(hits: readonly ScoredTool[], meaning: Meaning): Float64Array | undefined {
  const { query, weight, similarityOf, readVector } = meaning
  const size = query.length
  if (rows.length < ALIKE_HITS * size) rows = new Float32Array(ALIKE_HITS * size)
  const places: number[] = []
  const similarities: number[] = []
  for (let at = 0; at < Math.min(hits.length, ALIKE_HITS); at++) {
    const { name } = hits[at]!.tool
    const similarity = similarityOf(name)
    // Without a vector, or with nothing in common with the query, there is nothing to compare.
    if (similarity === 0 || !readVector(name, rows, places.length * size)) continue
    places.push(at)
    similarities.push(similarity)
    // Most hits of most queries are not alike, and the best ones tell: reading all takes longer.
    if (places.length === MIN_HITS && alikeness(centreOfRows(MIN_HITS, size)) < MIN_LIKENESS) {
      return undefined
    }
  }
  if (places.length < MIN_HITS) return undefined
  const centre = centreOfRows(places.length, size)
  if (alikeness(centre) < MIN_LIKENESS) return undefined

  const ofCentre = dot(centre, centre)
  const toQuery = dot(centre, query)
  const apart = similarities.map((similarity, at) => {
    const toCentre = dotRow(centre, at)
    const length = Math.sqrt(Math.max(1 - 2 * toCentre + ofCentre, MIN_SQUARE))
    return Math.max(0, (similarity - toQuery - toCentre + ofCentre) / length)
  })
  // On the scale of the similarities, so that the best of the compared hits keeps its score.
  const scale = Math.max(...similarities) / (Math.max(...apart) || 1)
  const changes = new Float64Array(ALIKE_HITS)
  places.forEach((place, at) => {
    changes[place] = COMPARED_SHARE * weight * (apart[at]! * scale - similarities[at]!)
  })
  return changes
}

/** The mean cosine of two rows, given `centreOfRows`. */
function alikeness(centre: Float32Array): number {
  return dot(centre, centre) / IGNORED ** 2
}

/** The part of the first rows' mean that is ignored. */
function centreOfRows(count: number, size: number): Float32Array {
  const centre = new Float32Array(size)
  for (let at = 0; at < count * size; at += size) {
    for (let i = 0; i < size; i++) centre[i]! += rows[at + i]!
  }
  for (let i = 0; i < size; i++) centre[i]! *= IGNORED / count
  return centre
}

function dotRow(vector: Float32Array, row: number): number {
  let sum = 0
  const from = row * vector.length
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * rows[from + i]!
  return sum
}
