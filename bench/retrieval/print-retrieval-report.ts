import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { Figures, Macro, RetrievalReport, SetFigures } from './retrieval-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printRetrievalReport(report: RetrievalReport): string {
  const { date, machine, versions, sets } = report
  return [
    '# Retrieval',
    '',
    ...measuredOn(date, machine, versions),
    '',
    ...printOverview(report),
    '',
    ...sets.flatMap((set) => [...printSet(set), '']),
    '- R@k is the mean share of the labels of a query among the first k tools, in percent. A label with',
    '  several interchangeable tools counts as found if any of them is. nDCG@5 counts each label once.',
    '- The lead is R@5 minus that of the best peer on this set, in points, with the 95 % interval of a',
    '  paired bootstrap over the queries.',
    '- `unified` is our complete search: it drops results far below the best one. Our',
    '  other rows are rankers alone, with ties in catalogue order.',
    '- The peers run from their published packages. Each contender has its own process. Times are per',
    '  search; for the AI SDK and Mastra they include the tool call.',
  ].join('\n')
}

function printOverview({ sets, macro }: RetrievalReport): string[] {
  const ranked = [...macro].sort((a, b) => b.recallAt5 - a.recallAt5)
  const recallIn = (set: SetFigures, name: string) => {
    const row = set.rows.find((candidate) => candidate.name === name)
    return row && !('failure' in row) ? percent(row.recallAt5) : '–'
  }
  const columns = ['', 'R@1', 'R@5', 'nDCG@5', 'p50 ms', ...sets.map(({ name }) => `R@5 ${name}`)]
  const lines = ranked.map((row) => [
    label(row),
    ...scores(row),
    ...sets.map((set) => recallIn(set, row.name)),
  ])
  return [
    `Mean over ${sets.length} ${sets.length === 1 ? 'set' : 'sets'}:`,
    '',
    ...markdownTable(columns, lines),
  ]
}

function printSet({ name, tools, queries, bestPeer, rows }: SetFigures): string[] {
  const lead = bestPeer === undefined ? [] : [`lead over ${bestPeer}`]
  const lines = rows.map((row) =>
    'failure' in row
      ? [label(row), row.failure]
      : [
          label(row),
          ...scores(row),
          milliseconds(row.buildMs),
          ...(lead[0] ? [printLead(row)] : []),
        ],
  )
  return [
    `## ${name}`,
    '',
    `${tools} tools, ${queries} queries.`,
    '',
    ...markdownTable(['', 'R@1', 'R@5', 'nDCG@5', 'p50 ms', 'build ms', ...lead], lines),
  ]
}

function label({ name, side }: { name: string; side: 'ours' | 'peer' }): string {
  return side === 'ours' ? `\`${name}\`` : name
}

function scores({ recallAt1, recallAt5, ndcgAt5, p50Ms }: Macro): string[] {
  return [percent(recallAt1), percent(recallAt5), percent(ndcgAt5), milliseconds(p50Ms)]
}

function printLead({ lead }: Figures): string {
  if (lead === undefined) return '–'
  return `${points(lead.difference)} (${points(lead.from)} to ${points(lead.to)})`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function points(share: number): string {
  const text = percent(Math.abs(share))
  if (Number(text) === 0) return text
  return `${share < 0 ? '−' : '+'}${text}`
}

function milliseconds(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}
