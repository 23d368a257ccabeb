import type { Comparison, EvaluationSummary } from 'toolsearch/evaluation'
import { plainTable } from '../table.ts'
import type { EvalReport, WorstQuery } from './eval-report.ts'
import type { SuggestionFigures } from './measure-suggestions.ts'

const HEAD = [
  '',
  'queries',
  'R@1',
  'R@5',
  'R@10',
  'nDCG@5',
  'all in 5',
  'doubted',
  'wrongly',
  'doubt precision',
  'p50 ms',
  'p99 ms',
]

/** The report as text. Shares are in percent. */
export function printEvalReport(report: EvalReport): string {
  const { ranker, tools, all, kinds, baseline, suggestions, worst } = report
  const rows = [
    row(ranker, all),
    ...kinds.map((kind) => row(`  ${kind.kind}`, { ...kind, doubtPrecision: undefined })),
    ...(baseline ? [row(baseline.ranker, baseline.all)] : []),
  ]
  const parts = [
    `${ranker}: ${tools} tools, ${all.served} queries with a relevant tool, ` +
      `${all.unserved} without`,
    plainTable(HEAD, rows).join('\n'),
    ...(baseline ? [printComparison(ranker, baseline.ranker, baseline.comparison)] : []),
    ...(all.reliability ? [printReliability(all.reliability)] : []),
    ...(suggestions ? [printSuggestions(suggestions)] : []),
    ...(worst.length > 0 ? [`Worst queries\n\n${worst.map(printWorst).join('\n')}`] : []),
  ]
  return parts.join('\n\n')
}

type Figures = Omit<EvaluationSummary, 'doubtPrecision'> & {
  readonly doubtPrecision?: number | undefined
}

function row(label: string, summary: Figures): string[] {
  const { queries, scores, doubted, wronglyDoubted, doubtPrecision, p50, p99 } = summary
  const shares = [
    scores?.recallAt1,
    scores?.recallAt5,
    scores?.recallAt10,
    scores?.ndcgAt5,
    scores?.allIn5,
    doubted,
    wronglyDoubted,
    doubtPrecision,
  ]
  return [label, `${queries}`, ...shares.map(percent), milliseconds(p50), milliseconds(p99)]
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : (share * 100).toFixed(1)
}

function milliseconds(time: number | undefined): string {
  return time === undefined ? '–' : time.toFixed(2)
}

function printComparison(ranker: string, baseline: string, comparison: Comparison): string {
  const { difference, interval, queries, better, worse } = comparison
  return (
    `R@5 of ${ranker} compared with ${baseline}: ${points(difference)} points, ` +
    `95 % interval ${points(interval.from)} to ${points(interval.to)} ` +
    `(${queries} queries: ${better} better, ${worse} worse)`
  )
}

function printReliability(reliability: NonNullable<EvaluationSummary['reliability']>): string {
  const levels = Object.entries(reliability).map(([level, { queries, right }]) => [
    level,
    `${queries}`,
    percent(right),
  ])
  return plainTable(['confidence', 'queries', 'right in 5'], levels).join('\n')
}

function printSuggestions({ missed, suggested, found }: SuggestionFigures): string {
  return (
    'Suggested queries (missed in the first five / with a suggestion / found with it): ' +
    `${missed} / ${suggested} / ${found}`
  )
}

function points(share: number): string {
  const text = (share * 100).toFixed(1)
  return share > 0 ? `+${text}` : text
}

function printWorst({ query, kind, expected, got }: WorstQuery): string {
  const labels = expected.map((names) => names.join(' or '))
  return [
    `${JSON.stringify(query)}${kind === undefined ? '' : ` (${kind})`}`,
    `  expected  ${labels.join(', ') || 'nothing'}`,
    `  got       ${got.join(', ') || 'nothing'}`,
  ].join('\n')
}
