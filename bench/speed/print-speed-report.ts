import { measuredOn } from '../machine.ts'
import { median } from '../statistics.ts'
import { markdownTable } from '../table.ts'
import { compareRuns } from './compare-runs.ts'
import type { CatalogueFigures, EngineFigures, SpeedReport } from './speed-report.ts'

type Unit = 'milliseconds' | 'bytes' | 'ratio'

interface Row {
  readonly label: string
  readonly unit: Unit
  readonly figure: keyof EngineFigures['values']
}

const ROWS: readonly Row[] = [
  { label: 'search, p50', unit: 'milliseconds', figure: 'searchP50' },
  { label: 'search, p99', unit: 'milliseconds', figure: 'searchP99' },
  { label: 'search, 2–6 words, p50', unit: 'milliseconds', figure: 'shortP50' },
  { label: 'search, sentences, p50', unit: 'milliseconds', figure: 'sentenceP50' },
  { label: 'search, other languages, p50', unit: 'milliseconds', figure: 'foreignP50' },
  { label: 'explained search ÷ search', unit: 'ratio', figure: 'explainedRatio' },
  { label: 'build, fresh process', unit: 'milliseconds', figure: 'ready' },
  { label: 'build, warm', unit: 'milliseconds', figure: 'build' },
  { label: 'add one tool', unit: 'milliseconds', figure: 'add' },
  { label: 'remove one tool', unit: 'milliseconds', figure: 'remove' },
  { label: 'replace one tool and search', unit: 'milliseconds', figure: 'changeAndSearch' },
  { label: 'memory of the index', unit: 'bytes', figure: 'heapBytes' },
]

/** The engines of the last column: our index alone, and the fastest of the peers. */
const OURS = 'ranker'
const PEER = 'MiniSearch'
/** The README quotes these comparisons, so the report warns if one of them is unreliable. */
const CLAIMED: readonly Row['figure'][] = ['searchP50', 'ready', 'heapBytes']

/** The report as Markdown that also reads well in a terminal. */
export function printSpeedReport(report: SpeedReport): string {
  const { machine, versions, queries, rejected, catalogues } = report
  const [smaller] = catalogues
  const processes = smaller?.engines[0]?.values.searchP50.length ?? 0
  return [
    '# Speed and memory',
    '',
    ...measuredOn(report.date, machine, versions),
    ...report.warnings.map((warning) => `**${warning}**`),
    '',
    ...catalogues.flatMap((catalogue) => [...printCatalogue(catalogue), '']),
    '## A conversation',
    '',
    ...printSessions(catalogues),
    '',
    '`ranker` is our index alone, the one to compare with the peers. `toolsearch` is the whole library:',
    'it validates definitions, finds exact names and drops weak results. `hybrid` is the index with',
    'semantic similarity, and `semantics` the whole library with it.',
    '',
    `- ${queries.short} queries of 2 to 6 words, ${queries.sentences} sentences` +
      (queries.foreign > 0 ? `, and ${queries.foreign} queries in other languages` : '') +
      ', 10 hits each. “Search”',
    '  without a kind means the English ones. The time of a query is its median over all rounds of a',
    '  process.',
    '- In a process, all engines take turns with the same queries and tools. A figure of the smaller',
    `  catalogue is the median of ${processes} fresh processes. The ratio is the median of the ratios within each`,
    '  process, with the lowest and the highest in parentheses. The larger catalogue repeats the real one',
    '  under new names; it is measured in one process, with a third of the queries.',
    '- “Build” ends with the answer to the first search: an engine may finish its index only then.',
    '- “Explained search ÷ search”: five hits and five near misses, all with reasons, compared with a',
    '  search for five hits.',
    '- All engines index the same tools, fields, boosts and stop words, with their own tokenizers; the',
    '  peers get identifiers already split. Only ours stems words and matches synonyms and typos. Orama',
    '  also matches prefixes.',
    '- “Remove one tool” removes it immediately; MiniSearch can also mark it and clean up later.',
    '- Memory is heap and buffers of a fresh process, without the tools; Orama stores the texts.',
    '- A conversation uses the default preset and the memory store. Its p99 counts every search, pauses',
    '  for garbage included.',
    ...(rejected > 0
      ? [`- Invalid definitions in the catalogue, left out for every engine: ${rejected}.`]
      : []),
  ].join('\n')
}

/** Sentences about the comparisons that matter most and on which the processes disagree. */
export function findDisagreements(catalogues: readonly CatalogueFigures[]): string[] {
  return catalogues.flatMap(({ tools, engines }) =>
    ROWS.filter(({ figure }) => CLAIMED.includes(figure)).flatMap(({ label, figure }) => {
      const comparison = compareEngines(engines, figure)
      if (!comparison?.isUnsure) return []
      const { lowest, highest } = comparison
      const range = `${printRatio(lowest)} to ${printRatio(highest)}`
      return [
        `The runs disagree on "${label}" with ${tools.toLocaleString('en')} tools: ${OURS} ÷ ${PEER} is ` +
          `${range}. Measure again when the machine is idle.`,
      ]
    }),
  )
}

function compareEngines(engines: readonly EngineFigures[], figure: Row['figure']) {
  const valuesOf = (name: string) => engines.find((engine) => engine.name === name)?.values[figure]
  return compareRuns(valuesOf(OURS), valuesOf(PEER))
}

function printCatalogue({ tools, engines, skipped }: CatalogueFigures): string[] {
  const isCompared = engines.some(({ name }) => name === PEER)
  const head = [
    '',
    ...engines.map(({ name }) => name),
    ...(isCompared ? [`${OURS} ÷ ${PEER}`] : []),
  ]
  const lines = ROWS.filter(({ figure }) =>
    engines.some(({ values }) => values[figure]?.length),
  ).map(({ label, unit, figure }) => [
    label,
    ...engines.map(({ values }) => print(values[figure], unit)),
    ...(isCompared ? [printComparison(engines, figure)] : []),
  ])
  const notes = [
    ...(skipped.length > 0 ? [`Not measured at this size: ${skipped.join(', ')}.`] : []),
    ...cutShort(engines),
  ]
  return [
    `## ${tools.toLocaleString('en')} tools`,
    '',
    ...markdownTable(head, lines),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ]
}

function printSessions(catalogues: readonly CatalogueFigures[]): string[] {
  const rows = [
    ['createToolSearch', 'create'],
    ['first turn', 'firstTurn'],
    ['later turns, p50', 'laterTurn'],
    ['session.search, p50', 'searchP50'],
    ['session.search, p99', 'searchP99'],
  ] as const
  return markdownTable(
    ['', ...catalogues.map(({ tools }) => `${tools.toLocaleString('en')} tools`)],
    rows.map(([label, figure]) => [
      label,
      ...catalogues.map(({ session }) => print(session[figure], 'milliseconds')),
    ]),
  )
}

function cutShort(engines: readonly EngineFigures[]): string[] {
  const counts = engines.map(({ name, values }) => ({ name, count: Math.min(...values.queries) }))
  const most = Math.max(...counts.map(({ count }) => count))
  return counts
    .filter(({ count }) => count < most)
    .map(
      ({ name, count }) =>
        `${name} ran only ${count} of the ${most} queries before the time limit.`,
    )
}

function printComparison(engines: readonly EngineFigures[], figure: Row['figure']): string {
  const comparison = compareEngines(engines, figure)
  if (comparison === undefined) return ''
  const { ratio, lowest, highest } = comparison
  return `${printRatio(ratio)} (${printRatio(lowest)}–${printRatio(highest)})`
}

function printRatio(ratio: number): string {
  return ratio.toFixed(2)
}

function print(values: readonly number[] | undefined, unit: Unit): string {
  if (!values?.length) return '–'
  const value = median(values)
  if (unit === 'ratio') return `${value.toFixed(2)}×`
  if (unit === 'bytes') return `${printNumber(value / 1e6)} MB`
  if (value < 1) return `${printNumber(value * 1000)} µs`
  return value < 1000 ? `${printNumber(value)} ms` : `${printNumber(value / 1000)} s`
}

function printNumber(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}
