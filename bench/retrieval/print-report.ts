import type { Figures, Macro, RetrievalReport, SetFigures } from './retrieval-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printReport(report: RetrievalReport): string {
  const { date, machine, versions, sets } = report
  return [
    '# Retrieval',
    '',
    `${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ` +
      `${machine.memoryGigabytes} GB, node ${machine.node}, ${machine.platform}.`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
    ...printOverview(report),
    '',
    ...sets.flatMap((set) => [...printSet(set), '']),
    '- R@k is the mean share of the labels of a query among the first k tools, in percent; a label',
    '  with interchangeable tools is hit by any of them. nDCG@5 has one gain for each label.',
    '- The lead is R@5 less that of the best peer on this set, in points, with the 95 % interval of',
    '  a bootstrap paired by query.',
    '- `unified` is our search as it is used: it cuts at a band and may abstain. The others of ours',
    '  are rankers alone, with ties in catalogue order.',
    '- The peers are run from their published packages. Each contender has a process of its own,',
    '  and the time is that of one search; those of the AI SDK and Mastra include their tool call.',
  ].join('\n')
}

function printOverview({ sets, macro }: RetrievalReport): string[] {
  const ranked = [...macro].sort((a, b) => b.recallAt5 - a.recallAt5)
  const recallIn = (set: SetFigures, name: string) => {
    const row = set.rows.find((one) => one.name === name)
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
    ...table(columns, lines),
  ]
}

function printSet({ name, tools, mended, queries, bestPeer, rows }: SetFigures): string[] {
  const lead = bestPeer === undefined ? [] : [`lead on ${bestPeer}`]
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
  const mending = mended > 0 ? `, ${mended} of them with mended schemas` : ''
  return [
    `## ${name}`,
    '',
    `${tools} tools${mending}; ${queries} queries.`,
    '',
    ...table(['', 'R@1', 'R@5', 'nDCG@5', 'p50 ms', 'build ms', ...lead], lines),
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

function table(columns: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const cell = (line: readonly string[], at: number) => line[at] ?? ''
  const widths = columns.map((_, at) =>
    Math.max(3, ...[columns, ...lines].map((line) => cell(line, at).length)),
  )
  const print = (line: readonly string[]) =>
    `| ${widths.map((width, at) => (at === 0 ? cell(line, at).padEnd(width) : cell(line, at).padStart(width))).join(' | ')} |`
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [print(columns), `| ${rule.join(' | ')} |`, ...lines.map(print)]
}
