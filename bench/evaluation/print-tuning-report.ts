import { markdownTable } from '../table.ts'
import type { Gain } from './held-out-gain.ts'
import type { TuningReport } from './tuning-report.ts'

const GROUPS = {
  english: 'English public sets',
  languages: 'sets in other languages',
  own: 'our own sets',
}

/** The report as Markdown that also reads well in a terminal. */
export function printTuningReport(report: TuningReport, file: string): string {
  const { date, ranker, queries, rounds, knobs, start, comparedWith } = report
  const { sets, heldOut, groups } = report
  const judged = rounds === 0 ? 'measured' : 'held out'
  const head = ['R@5 in percent', 'half', 'queries', comparedWith, judged, 'difference']
  const rows = sets.map(({ name, half, queries: count, gain }) => [
    name,
    half,
    `${count}`,
    ...figures(gain),
  ])
  const means = [
    ['**mean of half one**', 'one', '', ...figures(heldOut.one)],
    ['**mean of half two**', 'two', '', ...figures(heldOut.two)],
    [rounds === 0 ? '**mean R@5**' : '**held-out R@5**', 'both', '', ...figures(heldOut.all)],
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
    `${date.slice(0, 10)}. At most ${queries} queries per set. ` +
      `${count(rounds, 'round')} over ${count(knobs.length, 'weight')}, from ${start} weights.`,
    '',
    ...markdownTable(head, [...rows, ...means]),
    '',
    'The difference has a 95 % interval (paired bootstrap over the queries of each set).',
    ...(rounds === 0 ? [] : ['', ...printChoice(report), '', ...printAgreed(report, file)]),
  ].join('\n')
}

function printChoice({ start, halves }: TuningReport): string[] {
  const isClean = start === 'neutral'
  return [
    'Held out: the weights were chosen on the other half.',
    ...(isClean
      ? []
      : ['The weights to start from may know all sets: use --start neutral for figures to quote.']),
    '',
    `Chosen on half one: ${list(halves.one.changes)}`,
    '',
    `Chosen on half two: ${list(halves.two.changes)}`,
  ]
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

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}

function points(share: number): string {
  const text = percent(Math.abs(share))
  if (Number(text) === 0) return text
  return `${share < 0 ? '−' : '+'}${text}`
}
