import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { AttackReport, AttackRow, AttackShares } from './attack-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printAttackReport(report: AttackReport): string {
  const { date, machine, versions, sets, counts, rows } = report
  const contenders = [...new Set(rows.map(({ contender }) => contender))]
  const attacks = [...new Set(rows.map(({ attack }) => attack))]
  return [
    '# Attacks on the ranking',
    '',
    ...measuredOn(date, machine, versions),
    '',
    `A hostile server with ${counts.join(', ')} tools next to ${sets.map(describeSet).join(', ')}. Mean over sets and numbers of tools:`,
    '',
    ...markdownTable(
      ['', 'R@5', 'first', 'first five', 'R@5 lost'],
      contenders
        .map((contender) => rows.filter((row) => row.contender === contender))
        .map((own) => [label(own[0]!), percent(mean(own, 'recall')), ...shares(own)]),
    ),
    '',
    'Share of requests with a hostile tool among the first five, by attack:',
    '',
    ...table(attacks, contenders, (attack, contender) =>
      share(rows, 'firstFive', { attack, contender }),
    ),
    '',
    'Share of requests with a hostile tool in first place, by attack:',
    '',
    ...table(attacks, contenders, (attack, contender) =>
      share(rows, 'first', { attack, contender }),
    ),
    '',
    'Share of requests with a hostile tool among the first five, by number of hostile tools:',
    '',
    ...table(counts.map(String), contenders, (count, contender) =>
      share(rows, 'firstFive', { count: Number(count), contender }),
    ),
    '',
    '- No hostile tool does what a request asks for. "R@5 lost" is how much lower R@5 is because of them.',
    '- The first attacks want to be found for everything and are measured with requests of the whole set. Shadowed',
    '  names, copies and floods imitate the tools that most requests need, and are measured with these requests.',
    '- A copy says what its original says, so a ranking cannot tell that it does nothing. It can keep it',
    '  from coming first.',
    '- A search that finds little shows few hostile tools, too: compare searches with a similar R@5.',
  ].join('\n')
}

function describeSet({ name, tools }: AttackReport['sets'][number]): string {
  return `${name} (${tools.toLocaleString('en-GB')} tools)`
}

function table(
  names: readonly string[],
  contenders: readonly string[],
  cell: (name: string, contender: string) => string,
): string[] {
  return markdownTable(
    ['', ...contenders],
    names.map((name) => [name, ...contenders.map((contender) => cell(name, contender))]),
  )
}

function share(
  rows: readonly AttackRow[],
  key: keyof AttackShares,
  wanted: Partial<AttackRow>,
): string {
  const chosen = rows.filter((row) =>
    Object.entries(wanted).every(([field, value]) => row[field as keyof AttackRow] === value),
  )
  return chosen.length === 0 ? '–' : percent(mean(chosen, key))
}

function shares(rows: readonly AttackRow[]): string[] {
  return (['first', 'firstFive', 'lost'] as const).map((key) => percent(mean(rows, key)))
}

function mean(rows: readonly AttackRow[], key: keyof AttackShares | 'recall'): number {
  return rows.reduce((sum, row) => sum + row[key], 0) / rows.length
}

function label({ contender, side }: AttackRow): string {
  return side === 'ours' ? `\`${contender}\`` : contender
}

function percent(value: number): string {
  return (100 * value).toFixed(1)
}
