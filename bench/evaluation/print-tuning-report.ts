import { markdownTable } from '../table.ts'
import type { Gain } from './held-out-gain.ts'
import type { TuningReport } from './tuning-report.ts'

const HEAD = ['R@5 in percent', 'half', 'queries', 'current', 'held out', 'difference']

const GROUPS = {
  english: 'English public sets',
  languages: 'sets in other languages',
  own: 'our own sets',
}

/** The report as Markdown that also reads well in a terminal. */
export function printTuningReport(report: TuningReport, file: string): string {
  const { date, ranker, queries, rounds, knobs, sets, heldOut, groups, halves } = report
  const rows = sets.map(({ name, half, queries: count, gain }) => [
    name,
    half,
    `${count}`,
    ...figures(gain),
  ])
  const means = [
    ['**mean of half one**', 'one', '', ...figures(heldOut.one)],
    ['**mean of half two**', 'two', '', ...figures(heldOut.two)],
    ['**held-out R@5**', 'both', '', ...figures(heldOut.all)],
    ...groups.map(({ group, sets: count, gain }) => [
      `${count} ${count === 1 ? GROUPS[group].replace(/s\b/, '') : GROUPS[group]}`,
      '',
      '',
      ...figures(gain),
    ]),
  ]
  return [
    `# Weights of \`${ranker}\``,
    '',
    `${date.slice(0, 10)}. At most ${queries} queries per set, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ` +
      `${knobs.length} ${knobs.length === 1 ? 'weight' : 'weights'}.`,
    '',
    ...markdownTable(HEAD, [...rows, ...means]),
    '',
    '- Held out: the weights were chosen on the other half, starting from those of "current".',
    '- The current weights may have been chosen with all sets in view: their figures are not held out.',
    '- The difference has a 95 % interval (paired bootstrap over the queries of each set).',
    '',
    `Chosen on half one: ${list(halves.one.changes)}`,
    '',
    `Chosen on half two: ${list(halves.two.changes)}`,
    '',
    ...printAgreed(report, file),
  ].join('\n')
}

function printAgreed({ agreed }: TuningReport, file: string): string[] {
  const { changes, weights, gain } = agreed
  const head = `Both halves agree on: ${list(changes)}`
  if (changes.length === 0) return [head]
  return [
    head,
    '',
    `Not held out: R@5 over all sets ${percent(gain.before)} → ${percent(gain.after)}, ${difference(gain)}.`,
    '',
    `Weights for ${file}:`,
    '',
    '```json',
    JSON.stringify(weights, undefined, 2),
    '```',
  ]
}

function figures(gain: Gain): string[] {
  return [percent(gain.before), percent(gain.after), difference(gain)]
}

function difference(gain: Gain): string {
  return `${points(gain.difference)} (${points(gain.from)} to ${points(gain.to)})`
}

function list(changes: readonly string[]): string {
  return changes.length === 0 ? 'no change' : changes.join(', ')
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}

function points(share: number): string {
  const text = percent(Math.abs(share))
  if (Number(text) === 0) return text
  return `${share < 0 ? '−' : '+'}${text}`
}
