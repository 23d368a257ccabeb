import { measuredOn } from './machine.ts'
import type { CatalogueFigures, EngineFigures, SpeedReport } from './speed-report.ts'

interface Row {
  readonly label: string
  readonly unit: 'milliseconds' | 'bytes' | 'ratio'
  value(figures: EngineFigures): number | undefined
}

const ROWS: readonly Row[] = [
  { label: 'search, p50', unit: 'milliseconds', value: (one) => one.searchP50 },
  { label: 'search, p99', unit: 'milliseconds', value: (one) => one.searchP99 },
  { label: 'search, 2–6 words, p50', unit: 'milliseconds', value: (one) => one.shortP50 },
  { label: 'search, sentences, p50', unit: 'milliseconds', value: (one) => one.sentenceP50 },
  { label: 'explained search ÷ search', unit: 'ratio', value: (one) => one.explainedRatio },
  { label: 'search after a change', unit: 'milliseconds', value: (one) => one.searchAfterChange },
  { label: 'build, warm', unit: 'milliseconds', value: (one) => one.build },
  { label: 'build, fresh process', unit: 'milliseconds', value: (one) => one.firstBuild },
  { label: 'add one tool', unit: 'milliseconds', value: (one) => one.add },
  { label: 'remove one tool', unit: 'milliseconds', value: (one) => one.remove },
  { label: 'memory of the index', unit: 'bytes', value: (one) => one.heapBytes },
]

/** The report as Markdown that also reads well in a terminal. */
export function printReport(report: SpeedReport): string {
  const { machine, versions, queries, refused } = report
  return [
    '# Speed and memory',
    '',
    ...measuredOn(report.date, machine, versions),
    '',
    ...report.catalogues.flatMap((catalogue) => [...printCatalogue(catalogue), '']),
    '`ranker` is our index alone, to be compared with the peers, and `toolsearch` the whole path:',
    'definitions are checked, and a search selects, cuts and may abstain. `hybrid` is',
    'the index with semantic similarity, and `semantics` the whole path with it. The last column',
    'compares `ranker` with the better of the peers.',
    '',
    `- ${queries.short} queries of 2 to 6 words and ${queries.sentences} sentences, 10 hits each;`,
    '  a query counts by its median round.',
    '- “Explained search ÷ search”: five hits and five near misses, all with reasons, compared with',
    '  a search for five hits.',
    '- All engines start from the same tools, fields, boosts and stop words, and use their own',
    '  tokenizers; the peers are given names taken apart. Only ours takes off endings and looks for',
    '  synonyms and typing errors. Orama also matches the beginnings of words.',
    '- “Remove” takes a tool out at once; MiniSearch could also only mark it and clean up later.',
    '- Memory is heap and buffers of a fresh process, without the tools; Orama keeps the texts.',
    ...(refused > 0
      ? [`- ${refused} tools of the catalogue have invalid schemas and were left out for everyone.`]
      : []),
    '- The larger catalogue is the real one repeated under new names.',
  ].join('\n')
}

function printCatalogue({ tools, engines, skipped }: CatalogueFigures): string[] {
  const peers = engines.filter((one) => one.side === 'peer')
  const ours = engines.find((one) => one.side === 'ours')
  const head = ['', ...engines.map((one) => one.name), ...(peers.length > 0 ? ['ranker is'] : [])]
  const lines = ROWS.map(({ label, unit, value }) => [
    label,
    ...engines.map((one) => print(value(one), unit)),
    ...(ours && peers.length > 0 ? [compare(value(ours), peers.map(value), unit)] : []),
  ])
  const notes = [
    ...(skipped.length > 0 ? [`Not measured at this size: ${skipped.join(', ')} (--all).`] : []),
    ...cutShort(engines),
  ]
  return [
    `## ${tools.toLocaleString('en')} tools`,
    '',
    ...printTable(head, lines),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ]
}

function cutShort(engines: readonly EngineFigures[]): string[] {
  const most = Math.max(...engines.map((one) => one.queries))
  return engines
    .filter((one) => one.queries < most)
    .map(
      (one) =>
        `${one.name} was given only ${one.queries} of the ${most} queries: more took too long.`,
    )
}

function compare(
  ours: number | undefined,
  peers: readonly (number | undefined)[],
  unit: Row['unit'],
): string {
  const known = peers.filter((value) => value !== undefined)
  if (ours === undefined || known.length === 0) return ''
  const best = Math.min(...known)
  const [better, worse] = unit === 'bytes' ? ['smaller', 'larger'] : ['faster', 'slower']
  return ours <= best
    ? `${printRatio(best / ours)} ${better}`
    : `${printRatio(ours / best)} ${worse}`
}

function printRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`
}

function print(value: number | undefined, unit: Row['unit']): string {
  if (value === undefined) return '–'
  if (unit === 'ratio') return `${value.toFixed(2)}×`
  if (unit === 'bytes') return `${printNumber(value / 1e6)} MB`
  if (value < 1) return `${printNumber(value * 1000)} µs`
  return value < 1000 ? `${printNumber(value)} ms` : `${printNumber(value / 1000)} s`
}

function printNumber(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

function printTable(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...lines].map((line) => line[column]!.length)),
  )
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [head, rule, ...lines].map((line) => {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
    )
    return `| ${cells.join(' | ')} |`
  })
}
