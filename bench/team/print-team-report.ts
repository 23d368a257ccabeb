import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { TeamReport } from './team-report.ts'

/** The report as Markdown, which also reads well in a terminal. */
export function printTeamReport({ date, machine, quick, ...report }: TeamReport): string {
  const { overhead, people, replicas } = report
  const { throughput, routing, killed } = replicas
  return [
    '# The gateway for a team',
    '',
    ...measuredOn(date, machine),
    ...(quick ? ['Short run: compare the figures, but do not quote them.'] : []),
    '',
    '## What team settings add to a call over HTTP',
    '',
    'Median of an `echo` call, one at a time, in turns. Ratios are to the first row in the same round.',
    '',
    ...markdownTable(
      ['', 'p50', 'ratio', 'range'],
      overhead.map(({ name, p50Ms, ratio, range }) => [
        name,
        milliseconds(p50Ms),
        ratio.toFixed(2),
        rangeOf(range),
      ]),
    ),
    '',
    '## Searches of many people',
    '',
    `${number(people.people)} people in ${people.groups} groups, ${number(people.tools)} tools, each search as another`,
    'person, over HTTP with Redis and PostgreSQL.',
    '',
    ...markdownTable(
      ['', 'p50', 'ratio', 'range'],
      [
        ['without rules', milliseconds(people.openMs), '1.00', ''],
        [
          'with rules',
          milliseconds(people.ruledMs),
          people.ratio.toFixed(2),
          rangeOf(people.range),
        ],
      ],
    ),
    '',
    `A change of the rules took effect on all ${people.replicas} replicas within ${Math.round(people.ruleChangeMs)} ms of writing their files.`,
    '',
    '## Replicas',
    '',
    `Throughput: one replica ${number(throughput.one)} calls/s, three replicas ${number(throughput.three)} calls/s`,
    `(${(throughput.three / throughput.one).toFixed(2)} ×). The callers, the server, Redis and PostgreSQL share ${machine.cores} cores with the replicas.`,
    '',
    `Random routing: ${number(routing.sessions)} sessions, ${number(routing.calls)} calls over three replicas in ${routing.seconds.toFixed(0)} s:`,
    `${routing.lost} lost, ${routing.mixedUp} mixed up.`,
    '',
    `One of three replicas killed under load, ${number(killed.calls)} calls in 60 sessions: ${killed.lostSessions} sessions lost,`,
    `${killed.repeated} calls repeated, ${killed.failed} calls failed, of which ${killed.failedInFlight} were in flight on the killed replica.`,
  ].join('\n')
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`
}

function rangeOf([low, high]: readonly [number, number]): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
