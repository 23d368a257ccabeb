import type { Figures, Macro, Named, SetFigures } from './retrieval-report.ts'

/** The mean over the sets, each with the same weight, of contenders with figures for every set. */
export function macroAverage(sets: readonly SetFigures[]): (Named & Macro)[] {
  return (sets[0]?.rows ?? []).flatMap(({ name, side }) => {
    const rows = sets.flatMap(({ rows }) => rows.filter((row) => row.name === name))
    const complete = rows.filter((row): row is Named & Figures => !('failure' in row))
    if (complete.length < sets.length) return []
    const mean = (key: keyof Macro) =>
      complete.reduce((sum, row) => sum + row[key], 0) / sets.length
    return {
      name,
      side,
      recallAt1: mean('recallAt1'),
      recallAt5: mean('recallAt5'),
      ndcgAt5: mean('ndcgAt5'),
      p50Ms: mean('p50Ms'),
    }
  })
}
