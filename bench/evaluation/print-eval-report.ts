import type { Comparison, EvaluationSummary } from 'toolsearch/evaluation'
import { plainTable } from '../table.ts'
import type { EvalReport, WorstQuery } from './eval-report.ts'
import type { SuggestionFigures } from './measure-suggestions.ts'
import { printReliability } from './print-reliability.ts'

const HEAD = [
  '',
  'queries',
  'R@1',
  'R@5',
  'R@10',
  'nDCG@5',
  'all in 5',
  'unanswered',
  'doubted',
  'none: doubted',
  'abstained',
  'p50 ms',
  'p99 ms',
]

// Figures of fewer queries in one language say nothing. `--json` has all languages.
const FEWEST_QUERIES = 5

/** The report as text. Shares are in percent. */
export function printEvalReport(report: EvalReport): string {
  const { ranker, tools, all, kinds, languages, baseline, reliability, suggestions, worst } = report
  const rows = [
    row(ranker, all),
    ...kinds.map((kind) => row(`  ${kind.kind}`, kind)),
    ...languages
      .filter(({ queries }) => queries >= FEWEST_QUERIES)
      .map((language) => row(`  in ${language.language}`, language)),
    ...(baseline ? [row(baseline.ranker, baseline.all)] : []),
  ]
  const parts = [
    `${ranker}: ${tools} tools, ${all.served} queries with a relevant tool, ` +
      `${all.unserved} without`,
    plainTable(HEAD, rows).join('\n'),
    ...printReliability(reliability),
    ...(suggestions ? [printSuggestions(suggestions)] : []),
    ...(baseline ? [printComparison(ranker, baseline.ranker, baseline.comparison)] : []),
    ...(worst.length > 0 ? [`Worst queries\n\n${worst.map(printWorst).join('\n')}`] : []),
  ]
  return parts.join('\n\n')
}

function row(label: string, summary: EvaluationSummary): string[] {
  const { queries, scores, unanswered, wronglyDoubted, doubted, abstained } = summary
  const shares = [
    scores?.recallAt1,
    scores?.recallAt5,
    scores?.recallAt10,
    scores?.ndcgAt5,
    scores?.allIn5,
    unanswered,
    wronglyDoubted,
    doubted,
    abstained,
  ]
  const times = [summary.p50, summary.p99].map(milliseconds)
  return [label, `${queries}`, ...shares.map(percent), ...times]
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
