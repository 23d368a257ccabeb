import { measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { GatewayReport, Row } from './gateway-report.ts'

/** The report as Markdown that also reads well in a terminal. */
export function printGatewayReport(report: GatewayReport): string {
  const { machine, versions, oneServer, manyServers, silentServer } = report
  return [
    '# Gateways',
    '',
    ...measuredOn(report.date, machine, versions),
    ...(report.quick ? ['A quick run with few calls: the figures are rough.'] : []),
    '',
    '## One server',
    '',
    ...markdownTable(
      ['', 'p50', 'p50 range', 'p99', 'p50 ms', 'calls/s', 'start ms', 'MB', 'list tokens'],
      oneServer.map((row) =>
        cells(row, [
          fixed(row.p50, 2),
          (row.p50Range ?? []).map((ratio) => ratio.toFixed(2)).join('–'),
          fixed(row.p99, 2),
          fixed(row.p50Ms, 3),
          fixed(row.perSecond, 0),
          fixed(row.startMs, 0),
          fixed(row.memoryMB, 0),
          fixed(row.listTokens, 0),
        ]),
      ),
    ),
    '',
    'Each call is to the tool `echo` of `server-everything`. p50 and p99 are ratios to a direct call over',
    'the same transport in the same round: the median over all rounds. The range is from the lowest to',
    'the highest round. Every gateway connects to the server over stdio, so a ratio over HTTP can be below',
    '1. Calls/s is the throughput with 32 concurrent callers. Start is the time to the first response to',
    '`tools/list`. MB is the resident memory of the gateway without the server. Gateways with a search are',
    'called through their call tool.',
    '',
    `## ${manyServers.servers} servers with ${manyServers.toolsEach} tools each`,
    '',
    `Started all at once and without a gateway, the slowest server takes ${fixed(manyServers.slowestServerMs, 0)} ms to list its tools.`,
    '',
    ...markdownTable(
      ['', 'first list ms', 'ready ms', 'restart ms', 'search ms', 'MB', 'listed', 'tokens'],
      manyServers.rows.map((row) =>
        cells(row, [
          fixed(row.firstListMs, 0),
          fixed(row.readyMs, 0),
          fixed(row.restartMs, 0),
          fixed(row.searchMs, 1),
          fixed(row.memoryMB, 0),
          fixed(row.tools, 0),
          fixed(row.listTokens, 0),
        ]),
      ),
    ),
    '',
    'Ready is the time until a tool of every server can be called. Restart is the time to the first list',
    'after a restart. mcp-proxy and supergateway support only one server.',
    '',
    '## A server that never responds',
    '',
    ...markdownTable(
      ['', 'first list ms', 'first search ms', 'first call ms'],
      silentServer.rows.map((row) =>
        cells(row, [
          fixed(row.firstListMs, 0),
          fixed(row.firstSearchMs, 0),
          fixed(row.firstCallMs, 0),
        ]),
      ),
    ),
    '',
    'The gateways connect to that server and to `server-everything`, and search for and call its `echo`.',
    `All gateways run at the same time, with a timeout of ${silentServer.limitMs / 1000} s.`,
  ].join('\n')
}

/** A row of a table; a contender without figures has a message instead. */
function cells({ name, transport, problem }: Row, figures: readonly string[]): string[] {
  return [`${name}, ${transport}`, ...(problem === undefined ? figures : [problem])]
}

function fixed(value: number | undefined, digits: number): string {
  return value === undefined ? '–' : value.toFixed(digits)
}
