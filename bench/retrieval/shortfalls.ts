import type { Figures, Named, SetFigures, Shortfall } from './retrieval-report.ts'

/** The searches that we recommend: with and without a table of vectors, complete and bare. */
const RECOMMENDED = ['unified', 'unified-hybrid', 'fielded', 'hybrid']

/** The simplest search that is any good. */
const PLAIN = 'bm25'

/** Lists where a search that we recommend finds less than plain BM25 or the best peer of a set. */
export function shortfalls(sets: readonly SetFigures[]): Shortfall[] {
  return sets.flatMap(({ name: set, rows }) => {
    const measured = rows.filter((row): row is Named & Figures => !('failure' in row))
    const best = measured
      .filter(({ name, side }) => side === 'peer' || name === PLAIN)
      .sort((a, b) => b.recallAt5 - a.recallAt5)[0]
    if (best === undefined) return []
    return measured
      .filter(({ name, side }) => side === 'ours' && RECOMMENDED.includes(name))
      .filter(({ recallAt5 }) => recallAt5 < best.recallAt5)
      .map(({ name, recallAt5 }) => ({
        name,
        set,
        than: best.name,
        difference: recallAt5 - best.recallAt5,
      }))
  })
}
