import { dot } from '../semantics/vector-math.ts'
import type { Meaning, Ranking, ScoredTool } from './ranker.ts'

/** How many of the best hits are compared with each other. */
export const ALIKE_HITS = 40
const MIN_HITS = 10
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
  const changes = ranking.meanings?.map((meaning) => changesIn(ranking.hits, meaning)) ?? []
  if (!changes.some((change) => change !== undefined)) return ranking
  const hits = ranking.hits.map(({ tool, score }, at) => {
    let changed = score
    for (const change of changes) changed += change?.[at] ?? 0
    return { tool, score: changed }
  })
  const factors = new Map<string, number>()
  for (const [at, { tool }] of ranking.hits.slice(0, ALIKE_HITS).entries()) {
    factors.set(tool.name, factorAt(at, tool.name))
  }
  // Sorting is stable: hits with equal scores keep their order.
  hits.sort((a, b) => b.score - a.score)
  return {
    ...ranking,
    hits,
    rules: [...(ranking.rules ?? []), { rule: 'alike', tools: factors.size }],
    ...(ranking.explain && {
      explain: (name: string) =>
        ranking.explain!(name).map((part) =>
          part.match === 'semantic'
            ? { ...part, weight: part.weight * (factors.get(name) ?? 1) }
            : part,
        ),
    }),
  }

  /** By how much the semantic part of a score is multiplied. */
  function factorAt(at: number, name: string): number {
    let before = 0
    let added = 0
    for (const [source, meaning] of ranking.meanings!.entries()) {
      before += meaning.similarityOf(name) * meaning.weight
      added += changes[source]?.[at] ?? 0
    }
    return before > 0 ? (before + added) / before : 1
  }
}

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
    const row = rows.subarray(places.length * size, (places.length + 1) * size)
    // Without a vector, or with nothing in common with the query, there is nothing to compare.
    if (similarity === 0 || !readVector(name, row)) continue
    places.push(at)
    similarities.push(similarity)
  }
  if (places.length < MIN_HITS) return undefined
  const centre = centreOfRows(places.length, size)
  const ofCentre = dot(centre, centre)
  if (ofCentre < IGNORED ** 2 * MIN_LIKENESS) return undefined

  const toQuery = dot(centre, query)
  const apart = similarities.map((similarity, at) => {
    const toCentre = dot(centre, rows.subarray(at * size, (at + 1) * size))
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

/** The part of the first rows' mean that is ignored. */
function centreOfRows(count: number, size: number): Float32Array {
  const centre = new Float32Array(size)
  for (let at = 0; at < count * size; at += size) {
    for (let i = 0; i < size; i++) centre[i]! += rows[at + i]!
  }
  for (let i = 0; i < size; i++) centre[i]! *= IGNORED / count
  return centre
}
