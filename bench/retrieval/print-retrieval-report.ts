import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { Figures, Macro, RetrievalReport, SetFigures, Shortfall } from './retrieval-report.ts'

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
    ...printShortfalls(report.below),
    '',
    ...sets.flatMap((set) => [...printSet(set), '']),
    '- R@k is the mean share of the labels of a query among the first k tools, in percent. A label with',
    '  several interchangeable tools counts as found if any of them is. nDCG@5 counts each label once.',
    '- The lead is R@5 minus that of the best peer on this set, in points, with the 95 % interval of a',
    '  paired bootstrap over the queries.',
    '- `unified` and `unified-hybrid` are our complete search: it drops results far below the best one,',
    '  and names candidates if it is in doubt. Our other rows are rankers alone, with ties in catalogue',
    '  order. `bm25` is plain BM25 over names and descriptions.',
    '- Our weights and rules were chosen with these sets in view. `npm run bench -- tune` reports the figures of',
    '  sets that were held out.',
    '- The peers run from their published packages. Each contender has its own process. Times are per',
    '  search; for the AI SDK and Mastra they include the tool call.',
  ].join('\n')
}

function printOverview({ sets, macroSets, macro }: RetrievalReport): string[] {
  const ranked = [...macro].sort((a, b) => b.recallAt5 - a.recallAt5)
  const averaged = sets.filter(({ name }) => macroSets.includes(name))
  const others = sets.filter(({ name }) => !macroSets.includes(name))
  const head = ['R@1', 'R@5', 'nDCG@5', 'p50 ms', ...averaged.map(({ name }) => `R@5 ${name}`)]
  const lines = ranked.map((row) => [label(row), ...scores(row), ...recalls(averaged, row.name)])
  return [
    `Mean over ${averaged.length} ${averaged.length === 1 ? 'set' : 'sets'}:`,
    '',
    ...markdownTable(['', ...head], lines),
    ...(others.length > 0 ? ['', 'R@5 on the other sets:', ''] : []),
    ...(others.length > 0 ? printOthers(others, ranked) : []),
  ]
}

function printOthers(others: readonly SetFigures[], ranked: RetrievalReport['macro']): string[] {
  return markdownTable(
    ['', ...others.map(({ name }) => name)],
    ranked.map((row) => [label(row), ...recalls(others, row.name)]),
  )
}

function recalls(sets: readonly SetFigures[], name: string): string[] {
  return sets.map(({ rows }) => {
    const row = rows.find((candidate) => candidate.name === name)
    return row && !('failure' in row) ? percent(row.recallAt5) : '–'
  })
}

function printShortfalls(below: readonly Shortfall[]): string[] {
  if (below.length === 0) return ['Below plain BM25 or the best peer: on no set.']
  return [
    'Below plain BM25 or the best peer:',
    '',
    ...below.map(
      ({ name, set, than, difference }) =>
        `- \`${name}\` on ${set}: ${points(difference)} compared with ${than}`,
    ),
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
