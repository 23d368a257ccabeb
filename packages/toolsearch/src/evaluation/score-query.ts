import type { Label } from './evaluation-set.ts'

/** The scores of one query, or their means over many queries. All from 0 to 1. */
export interface Scores {
  /** The share of labels found among the first 1, 5 or 10 tools. */
  readonly recallAt1: number
  readonly recallAt5: number
  readonly recallAt10: number
  /** nDCG over the first 5 tools. Each label counts once, at its best-ranked tool. */
  readonly ndcgAt5: number
  /** 1 if all labels are among the first 5 tools, otherwise 0. */
  readonly allIn5: number
}

/** Scores the tools found for a query with at least one label. */
export function scoreQuery(found: readonly string[], labels: readonly Label[]): Scores {
  const positions = labels.map((label) => found.findIndex((name) => label.has(name)))
  const recallAt5 = shareWithin(positions, 5)
  return {
    recallAt1: shareWithin(positions, 1),
    recallAt5,
    recallAt10: shareWithin(positions, 10),
    ndcgAt5: ndcg(positions, 5),
    allIn5: recallAt5 === 1 ? 1 : 0,
  }
}

function shareWithin(positions: readonly number[], count: number): number {
  return positions.filter((position) => isWithin(position, count)).length / positions.length
}

function ndcg(positions: readonly number[], count: number): number {
  const gain = sum(positions.filter((position) => isWithin(position, count)).map(discount))
  const best = sum(positions.slice(0, count).map((_, position) => discount(position)))
  // a tool that matches two labels can exceed the best gain, which assumes one label per tool
  return Math.min(1, gain / best)
}

function isWithin(position: number, count: number): boolean {
  return position >= 0 && position < count
}

function discount(position: number): number {
  return 1 / Math.log2(position + 2)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
