/** Lines of a report with one table for each ranker, under a heading with its name. */
export function byRanker<Row extends { readonly ranker: string }>(
  rows: readonly Row[],
  heading: '##' | '###',
  table: (rows: readonly Row[]) => string[],
): string[] {
  const rankers = [...new Set(rows.map(({ ranker }) => ranker))]
  return rankers.flatMap((ranker) => [
    '',
    `${heading} ${rankerTitle(ranker)}`,
    '',
    ...table(rows.filter((row) => row.ranker === ranker)),
  ])
}

export function rankerTitle(ranker: string): string {
  return ranker === 'hybrid' ? 'Keywords and meaning' : 'Keywords'
}
