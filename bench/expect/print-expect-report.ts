import { mean } from '../statistics.ts'
import { markdownTable } from '../table.ts'
import type { ExpectedSet, ExpectReport } from './expect-report.ts'

export function printExpectReport(report: ExpectReport): string {
  const rankers = [...new Set(report.sets.map(({ ranker }) => ranker))]
  return [
    '# Tools before the model asks',
    '',
    `${report.date.slice(0, 10)}. Each request is the first message of a conversation and is sent with \`expect: true\` through the`,
    `adapter for Chat Completions in mode \`${report.mode}\`. "Announced": requests to which at least one tool was added. "Right":`,
    'requests to which a tool that fits was added, so that the model need not search. "Precision": of the added tools, those',
    'that fit. "Tokens": added per request, also counting requests to which nothing was added. "No tool fits": requests without',
    'a right answer, and how many of them got a tool all the same. "Changed bytes": bytes of the request without `expect` that',
    'differ in the one with it, up to the end of the message. How close the score of a second and third tool must be to that of',
    'the first was chosen with these sets in view.',
    ...rankers.flatMap((ranker) => [
      '',
      `## ${ranker === 'hybrid' ? 'Keywords and meaning' : 'Keywords'}`,
      '',
      ...table(report.sets.filter((set) => set.ranker === ranker)),
    ]),
  ].join('\n')
}

function table(sets: readonly ExpectedSet[]): string[] {
  return markdownTable(
    [
      'set',
      'tools',
      'requests',
      'announced %',
      'right %',
      'precision %',
      'tokens',
      'no tool fits',
      'announced %',
      'tokens',
      'changed bytes',
    ],
    [...sets.map(row), meanRow(sets)],
  )
}

function row(set: ExpectedSet): string[] {
  const others = set.unserved === 0 ? ['0', '', ''] : othersOf(set)
  return [
    set.set,
    `${set.tools}`,
    `${set.requests}`,
    ...figures(set),
    ...others,
    `${set.changedBytes}`,
  ]
}

function othersOf({ unserved, falselyAnnounced, unservedTokens }: ExpectedSet): string[] {
  return [`${unserved}`, falselyAnnounced.toFixed(1), unservedTokens.toFixed(0)]
}

function figures(set: Pick<ExpectedSet, 'announced' | 'right' | 'precision' | 'tokens'>): string[] {
  const { announced, right, precision, tokens } = set
  return [announced.toFixed(1), right.toFixed(1), precision.toFixed(1), tokens.toFixed(0)]
}

function meanRow(sets: readonly ExpectedSet[]): string[] {
  const average = (field: 'announced' | 'right' | 'precision' | 'tokens') =>
    mean(sets.map((set) => set[field]))
  const means = {
    announced: average('announced'),
    right: average('right'),
    precision: average('precision'),
    tokens: average('tokens'),
  }
  const changed = sets.reduce((sum, { changedBytes }) => sum + changedBytes, 0)
  return ['mean', '', '', ...figures(means), '', '', '', `${changed}`]
}
