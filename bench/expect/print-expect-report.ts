import { byRanker } from '../by-ranker.ts'
import { mean } from '../statistics.ts'
import { markdownTable } from '../table.ts'
import type { ExpectedSet, ExpectedTurns, ExpectReport, MeasuredLimits } from './expect-report.ts'
import { CONVERSATIONS, TURNS } from './measure-turns.ts'

export function printExpectReport(report: ExpectReport): string {
  return [
    '# Tools before the model asks',
    '',
    `${report.date.slice(0, 10)}. Each request is the first message of a conversation and is sent with \`expect: true\` through the`,
    `adapter for Chat Completions in mode \`${report.mode}\`. "Announced": requests to which at least one tool was added. "Right":`,
    'requests to which a tool that fits was added, so that the model need not search. "Precision": of the added tools, those',
    'that fit. "Tokens": added per request, also counting requests to which nothing was added. "No tool fits": requests without',
    'a right answer, and how many of them got a tool all the same. "Changed bytes": bytes of the request without `expect` that',
    'differ in the one with it, up to the end of the message.',
    ...byRanker(report.sets, '##', table),
    ...(report.turns.length > 0 ? turnsSection(report.turns) : []),
    ...limitsSection(report.limits),
  ].join('\n')
}

function turnsSection(turns: readonly ExpectedTurns[]): string[] {
  return [
    '',
    '## Ten turns in every mode',
    '',
    `${CONVERSATIONS} conversations of ${TURNS} user turns over the set \`${turns[0]!.set}\`, ranked by keywords and meaning, each turn with \`expect: true\`,`,
    'through the client of the provider and a server that checks requests as the service does. The model only talks. "Announced":',
    'turns to which a tool was added. "Right": turns in which a tool that fits is there, also from an earlier turn. "Tokens": what',
    'a conversation with `expect` has more in its last prompt than the same one without. "Twice": tools that were added again.',
    '"Changed bytes": bytes of all prompts that the next prompt of the conversation does not repeat.',
    '',
    ...markdownTable(
      [
        'provider and mode',
        'announced %',
        'right %',
        'tokens',
        'twice',
        'changed bytes',
        'rejected',
      ],
      turns.map(({ way, announced, right, tokens, twice, changedBytes, rejected }) => [
        way,
        announced.toFixed(1),
        right.toFixed(1),
        tokens.toFixed(0),
        `${twice}`,
        `${changedBytes}`,
        `${rejected}`,
      ]),
    ),
  ]
}

function limitsSection(limits: readonly MeasuredLimits[]): string[] {
  return [
    '',
    '## Other limits',
    '',
    'The first row of each table has the limits in use: how many tools are added at most, the share of the best score from which on',
    'a second tool is added, and the tokens of a description. The halves are every other set in alphabetical order. Both were in view',
    'when the limits were chosen, so they only show whether the sets agree.',
    ...byRanker(limits, '###', limitsTable),
  ]
}

function limitsTable(limits: readonly MeasuredLimits[]): string[] {
  const figures = ({ right, precision, tokens }: MeasuredLimits) => [
    right.toFixed(1),
    precision.toFixed(1),
    tokens.toFixed(1),
  ]
  const second = limits.filter(({ half }) => half === 'second')
  return markdownTable(
    [
      'tools, share, tokens',
      'right % (first half)',
      'precision %',
      'tokens',
      'right % (second half)',
      'precision %',
      'tokens',
    ],
    limits
      .filter(({ half }) => half === 'first')
      .map((one, at) => [
        `${one.tools}, ${one.close}, ${one.description}`,
        ...figures(one),
        ...figures(second[at]!),
      ]),
  )
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
