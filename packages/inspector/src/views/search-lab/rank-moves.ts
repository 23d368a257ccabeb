import type { ReportedHit } from '../../api/contract.ts'

/** How many places higher a hit ranks than in the other list, or `only-here` if it is not in it. */
export type RankMove = number | 'only-here'

/** Compares the ranks of hits with those in another list. */
export function rankMoves(
  hits: readonly Pick<ReportedHit, 'name'>[],
  others: readonly Pick<ReportedHit, 'name'>[],
): Map<string, RankMove> {
  const places = new Map(others.map(({ name }, at) => [name, at]))
  return new Map(
    hits.map(({ name }, at) => {
      const place = places.get(name)
      return [name, place === undefined ? 'only-here' : place - at]
    }),
  )
}

export function describeMove(move: RankMove): string {
  if (move === 'only-here') return 'only here'
  if (move === 0) return 'same rank'
  return move > 0 ? `${move} higher` : `${-move} lower`
}
