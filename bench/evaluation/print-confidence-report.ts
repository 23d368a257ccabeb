import { markdownTable } from '../table.ts'
import type { FittedOdds } from './confidence-model.ts'
import type { ConfidenceReport, Judgement } from './confidence-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printConfidenceReport({ date, ranker, heldOut, final }: ConfidenceReport): string {
  return [
    `# Confidence of \`${ranker}\``,
    '',
    `${date.slice(0, 10)}. The probability that a relevant tool is among the first five, and how many results are doubtful.`,
    '',
    ...heldOut.flatMap(({ fittedOn, judgedOn, ...judgement }) => [
      `## Fitted on half ${fittedOn}, judged on half ${judgedOn} (held out)`,
      '',
      ...printJudgement(judgement),
      '',
    ]),
    '## Fitted on both halves (not held out)',
    '',
    ...printJudgement(final),
    '',
    'For the weights of the ranker:',
    '',
    '```json',
    JSON.stringify(
      { confidence: weightsOf(final.model.right), served: weightsOf(final.model.served) },
      undefined,
      2,
    ),
    '```',
  ].join('\n')
}

function printJudgement({
  model,
  reliability,
  kinds,
  sure,
  brier,
  brierOfMean,
}: Judgement): string[] {
  const { doubtful } = model.thresholds
  return [
    ...markdownTable(
      ['probability', 'queries', 'without a tool', 'stated', 'right'],
      reliability.tenths.map(({ from, to, queries, unserved, stated, right }) => [
        `${from.toFixed(1)} to ${to.toFixed(1)}`,
        `${queries}`,
        `${unserved}`,
        percent(stated ?? 0),
        percent(right),
      ]),
    ),
    '',
    ...markdownTable(
      ['queries', 'count', 'right', `doubtful (below ${doubtful.toFixed(2)})`],
      kinds.map(({ kind, queries, right, doubtful: share }) => [
        kind,
        `${queries}`,
        percent(right),
        percent(share),
      ]),
    ),
    '',
    ...markdownTable(
      ['sure from', 'queries', 'share of all', 'right'],
      sure.map(({ threshold, queries, share, right }) => [
        threshold.toFixed(2),
        `${queries}`,
        percent(share),
        right === undefined ? '–' : percent(right),
      ]),
    ),
    '',
    `Mean squared error ${brier.toFixed(3)}; always stating the mean would cost ${brierOfMean.toFixed(3)}.`,
  ]
}

function weightsOf({ intercept, coefficients }: FittedOdds): Record<string, number> {
  return Object.fromEntries(
    Object.entries({ start: intercept, ...coefficients }).map(([name, value]) => [
      name,
      round(value),
    ]),
  )
}

function round(value: number): number {
  return Number(value.toPrecision(4))
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
