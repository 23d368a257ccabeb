import { measuredOn } from '../speed/machine.ts'
import type { GatewayReport } from './gateway-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printGatewayReport(report: GatewayReport): string {
  const { machine, versions, oneServer, manyServers, silentServer } = report
  return [
    '# Gateways',
    '',
    ...measuredOn(report.date, machine, versions),
    ...(report.quick ? ['A quick run: few calls, so the figures are rough.'] : []),
    '',
    '## One server',
    '',
    ...table(
      ['', 'p50', 'of a round', 'p99', 'p50 ms', 'calls/s', 'start ms', 'MB', 'list tokens'],
      oneServer.map((row) => [
        `${row.name}, ${row.transport}`,
        ...(row.problem !== undefined
          ? [row.problem]
          : [
              fixed(row.p50, 2),
              (row.p50Range ?? []).map((ratio) => ratio.toFixed(2)).join('–'),
              fixed(row.p99, 2),
              fixed(row.p50Ms, 3),
              fixed(row.perSecond, 0),
              fixed(row.startMs, 0),
              fixed(row.memoryMB, 0),
              fixed(row.listTokens, 0),
            ]),
      ]),
    ),
    '',
    '`echo` of `server-everything`. p50 and p99 are ratios to the direct call over the same transport',
    'in the same round: the median of the rounds, and the lowest and highest of one. Behind every',
    'gateway the server is a child over stdio, so over HTTP a ratio can be below 1. Calls/s is with 32',
    'callers. Start is from nothing to the first answer to `tools/list`, MB the resident memory of the',
    'gateway without the server. What has a search is called through its call tool.',
    '',
    `## ${manyServers.servers} servers of ${manyServers.toolsEach} tools`,
    '',
    `Asked directly and all at once, the slowest server lists after ${fixed(manyServers.slowestServerMs, 0)} ms.`,
    '',
    ...table(
      ['', 'first list ms', 'all there ms', 'next start ms', 'search ms', 'MB', 'listed', 'tokens'],
      manyServers.rows.map((row) => [
        `${row.name}, ${row.transport}`,
        ...(row.problem !== undefined
          ? [row.problem]
          : [
              fixed(row.firstListMs, 0),
              fixed(row.allThereMs, 0),
              fixed(row.againMs, 0),
              fixed(row.searchMs, 1),
              fixed(row.memoryMB, 0),
              fixed(row.tools, 0),
              fixed(row.listTokens, 0),
            ]),
      ]),
    ),
    '',
    '“All there” is until a tool of every server has been called, “next start” the first list when it',
    'is started again. mcp-proxy and supergateway take one server.',
    '',
    '## A server that never answers',
    '',
    ...table(
      ['', 'first list ms', 'first search ms', 'first call ms'],
      silentServer.rows.map((row) => [
        `${row.name}, ${row.transport}`,
        ...(row.problem !== undefined
          ? [row.problem]
          : [fixed(row.firstListMs, 0), fixed(row.firstSearchMs, 0), fixed(row.firstCallMs, 0)]),
      ]),
    ),
    '',
    `Beside \`server-everything\`; search and call are for its \`echo\`. All wait side by side, no longer than ${silentServer.limitMs / 1000} s.`,
  ].join('\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const width = head.map((cell, at) =>
    Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${head.map((_, at) => pad(row[at] ?? '', width[at]!, at)).join(' | ')} |`
  const rule = `| ${width.map((size, at) => (at === 0 ? '-'.repeat(size) : `${'-'.repeat(size - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)]
}

function pad(text: string, size: number, at: number): string {
  return at === 0 ? text.padEnd(size) : text.padStart(size)
}

function fixed(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}
