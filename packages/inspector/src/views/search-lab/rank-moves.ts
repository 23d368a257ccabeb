import type { ReportedHit } from '../../api/contract.ts'

/** Where a hit stands beside another ranker's list: how far up it came, or that it is not there. */
export type RankMove = number | 'only-here'

/** For each hit of one list, its move compared with the other list. */
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

export function moveWords(move: RankMove): string {
  if (move === 'only-here') return 'only here'
  if (move === 0) return 'same place'
  return move > 0 ? `${move} higher` : `${-move} lower`
}
