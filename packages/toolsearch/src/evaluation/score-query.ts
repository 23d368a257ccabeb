import type { Label } from './evaluation-set.ts'

/** The scores of one query, or their means over many queries. All from 0 to 1. */
export interface Scores {
  /** The share of labels found among the first 1, 5 or 10 tools. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  /** Discounted gain of the labels at their best-ranked tools, relative to the best possible gain. */
  readonly ndcgAt5: number
  /** 1 if all labels are among the first 5 tools, otherwise 0. */
  readonly allIn5: number
}

/** Scores the tools found for a query with at least one label. */
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
  // a tool that matches two labels could exceed the best gain with one label per place
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
