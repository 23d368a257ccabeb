import type { Label } from './evaluation-set.ts'

/** How well one query was served, or the mean over many. All from 0 to 1. */
export interface Scores {
  /** The share of the labels among the first 1, 5 and 10 tools found. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  /** Gain for each label at the first tool that hits it, less the further down, beside the best possible. */
  readonly ndcgAt5: number
  /** 1 when every label is among the first 5, otherwise 0. */
  readonly allIn5: number
}

/** Judges what was found for a query that has at least one label. */
export function scoreQuery(found: readonly string[], labels: readonly Label[]): Scores {
  const places = labels.map((label) => found.findIndex((name) => label.has(name)))
  const recallAt5 = shareWithin(places, 5)
  return {
    recallAt1: shareWithin(places, 1),
    recallAt5,
    recallAt10: shareWithin(places, 10),
    ndcgAt5: ndcg(places, 5),
    allIn5: recallAt5 === 1 ? 1 : 0,
  }
}

function shareWithin(places: readonly number[], count: number): number {
  return places.filter((place) => isWithin(place, count)).length / places.length
}

function ndcg(places: readonly number[], count: number): number {
  const gain = sum(places.filter((place) => isWithin(place, count)).map(discount))
  const best = sum(places.slice(0, count).map((_, place) => discount(place)))
  // one tool that hits two labels at once could do better than one label for each place
  return Math.min(1, gain / best)
}

function isWithin(place: number, count: number): boolean {
  return place >= 0 && place < count
}

function discount(place: number): number {
  return 1 / Math.log2(place + 2)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
