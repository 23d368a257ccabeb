import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { CatalogueFigures, EngineFigures, SpeedReport } from './speed-report.ts'

interface Row {
  readonly label: string
  readonly unit: 'milliseconds' | 'bytes' | 'ratio'
  value(figures: EngineFigures): number | undefined
}

const ROWS: readonly Row[] = [
  { label: 'search, p50', unit: 'milliseconds', value: (figures) => figures.searchP50 },
  { label: 'search, p99', unit: 'milliseconds', value: (figures) => figures.searchP99 },
  { label: 'search, 2–6 words, p50', unit: 'milliseconds', value: (figures) => figures.shortP50 },
  {
    label: 'search, sentences, p50',
    unit: 'milliseconds',
    value: (figures) => figures.sentenceP50,
  },
  {
    label: 'explained search ÷ search',
    unit: 'ratio',
    value: (figures) => figures.explainedRatio,
  },
  {
    label: 'search after a change',
    unit: 'milliseconds',
    value: (figures) => figures.searchAfterChange,
  },
  { label: 'build, warm', unit: 'milliseconds', value: (figures) => figures.build },
  { label: 'build, fresh process', unit: 'milliseconds', value: (figures) => figures.firstBuild },
  { label: 'add one tool', unit: 'milliseconds', value: (figures) => figures.add },
  { label: 'remove one tool', unit: 'milliseconds', value: (figures) => figures.remove },
  { label: 'memory of the index', unit: 'bytes', value: (figures) => figures.heapBytes },
]

/** The report as Markdown that also reads well in a terminal. */
export function printSpeedReport(report: SpeedReport): string {
  const { machine, versions, queries, rejected } = report
  return [
    '# Speed and memory',
    '',
    ...measuredOn(report.date, machine, versions),
    '',
    ...report.catalogues.flatMap((catalogue) => [...printCatalogue(catalogue), '']),
    '`ranker` is our index alone, the one to compare with the peers. `toolsearch` is the whole library:',
    'it validates definitions, finds exact names, drops weak results and may abstain. `hybrid` is the',
    'index with semantic similarity, and `semantics` the whole library with it. The last column compares',
    '`ranker` with the better of the peers.',
    '',
    `- ${queries.short} queries of 2 to 6 words and ${queries.sentences} sentences, 10 hits each;`,
    '  the time of a query is its median over all rounds.',
    '- “Explained search ÷ search”: five hits and five near misses, all with reasons, compared with a',
    '  search for five hits.',
    '- All engines index the same tools, fields, boosts and stop words, with their own tokenizers; the',
    '  peers get identifiers already split. Only ours stems words and matches synonyms and typos. Orama',
    '  also matches prefixes.',
    '- “Remove one tool” removes it immediately; MiniSearch can also mark it and clean up later.',
    '- Memory is heap and buffers of a fresh process, without the tools; Orama stores the texts.',
    ...(rejected > 0
      ? [
          `- ${rejected} tools of the catalogue have invalid schemas and are left out for every engine.`,
        ]
      : []),
    '- The larger catalogue repeats the real one under new names.',
  ].join('\n')
}

function printCatalogue({ tools, engines, skipped }: CatalogueFigures): string[] {
  const peers = engines.filter((figures) => figures.side === 'peer')
  const ours = engines.find((figures) => figures.side === 'ours')
  const head = [
    '',
    ...engines.map((figures) => figures.name),
    ...(peers.length > 0 ? ['ranker is'] : []),
  ]
  const lines = ROWS.map(({ label, unit, value }) => [
    label,
    ...engines.map((engine) => print(value(engine), unit)),
    ...(ours && peers.length > 0 ? [compare(value(ours), peers.map(value), unit)] : []),
  ])
  const notes = [
    ...(skipped.length > 0 ? [`Not measured at this size: ${skipped.join(', ')} (--all).`] : []),
    ...cutShort(engines),
  ]
  return [
    `## ${tools.toLocaleString('en')} tools`,
    '',
    ...markdownTable(head, lines),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ]
}

function cutShort(engines: readonly EngineFigures[]): string[] {
  const most = Math.max(...engines.map((figures) => figures.queries))
  return engines
    .filter((figures) => figures.queries < most)
    .map(
      (figures) =>
        `${figures.name} ran only ${figures.queries} of the ${most} queries before the time limit.`,
    )
}

function compare(
  ours: number | undefined,
  peers: readonly (number | undefined)[],
  unit: Row['unit'],
): string {
  const measured = peers.filter((value) => value !== undefined)
  if (ours === undefined || measured.length === 0) return ''
  const best = Math.min(...measured)
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
