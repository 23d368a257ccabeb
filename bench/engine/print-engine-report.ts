import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { EngineReport, Measured, ScaleFigures, Times } from './engine-report.ts'

export function printEngineReport({ recall, scale }: EngineReport): string {
  return [
    '# Catalogues in PostgreSQL',
    ...(recall ? ['', '## Recall', '', ...printOrigin(recall), '', ...printRecall(recall)] : []),
    ...(scale
      ? ['', '## A large catalogue', '', ...printOrigin(scale), '', ...printScale(scale)]
      : []),
  ].join('\n')
}

function printOrigin({ date, machine, postgres }: Measured): string[] {
  return measuredOn(date, machine, { PostgreSQL: postgres })
}

function printRecall({ rows, candidates }: NonNullable<EngineReport['recall']>): string[] {
  const percent = (share: number) => (100 * share).toFixed(1)
  const worst = Math.min(...rows.map(({ inMemory, overEngine }) => overEngine - inMemory))
  return [
    `R@5 in percent: a search in memory over all tools, and one that ranks ${candidates} candidates of the engine.`,
    `The largest loss is ${percent(Math.max(0, -worst))} points.`,
    '',
    ...markdownTable(
      ['set', 'tools', 'queries', 'ranker', 'engine', 'in memory', 'engine', 'same results', 'p50'],
      rows.map((row) => [
        row.set,
        String(row.tools),
        String(row.queries),
        row.ranker,
        row.engine,
        percent(row.inMemory),
        percent(row.overEngine),
        `${percent(row.same)} %`,
        `${row.p50Ms.toFixed(1)} ms`,
      ]),
    ),
  ]
}

function printScale(scale: ScaleFigures): string[] {
  const { tools, sources, buildSeconds, databaseGigabytes, addMs, syncMs, search, replica } = scale
  const count = (value: number) => value.toLocaleString('en')
  return [
    `${count(tools)} generated tools of ${count(sources)} servers.`,
    '',
    ...markdownTable(
      ['step', 'p50', 'p99'],
      [
        ['add one tool', ...printTimes(addMs)],
        ['sync a server with 30 tools', ...printTimes(syncMs)],
        ...search.map(({ kind, ms }) => [`search: ${kind}`, ...printTimes(ms)]),
      ],
    ),
    '',
    ...markdownTable(
      ['size', 'value'],
      [
        [
          'build',
          `${buildSeconds.toFixed(0)} s, ${count(Math.round(tools / buildSeconds))} tools per second`,
        ],
        [
          'database',
          `${databaseGigabytes.toFixed(2)} GB, ${count(Math.round((databaseGigabytes * 2 ** 30) / tools))} bytes per tool`,
        ],
        ['process before the first search', `${replica.emptyMegabytes.toFixed(0)} MB`],
        [
          'process after all searches',
          `${replica.rssMegabytes.toFixed(0)} MB, ${replica.heapMegabytes.toFixed(0)} MB of it heap`,
        ],
        ...search.flatMap(({ kind, found }) =>
          found === undefined
            ? []
            : [[`${kind}: right tool first`, `${(100 * found).toFixed(1)} %`]],
        ),
      ],
    ),
  ]
}

function printTimes({ p50, p99 }: Times): string[] {
  return [`${p50.toFixed(1)} ms`, `${p99.toFixed(1)} ms`]
}
