import { type Machine, measuredOn } from '../machine.ts'
import { markdownTable } from '../table.ts'
import type { FrameworkCost } from './compare-frameworks.ts'
import type { ModeCost } from './compare-modes.ts'
import type { EncodingTime } from './measure-encoding.ts'

export interface WireReport {
  readonly date: string
  readonly machine: Machine
  readonly catalogues: readonly { readonly tools: number; readonly ways: readonly ModeCost[] }[]
  readonly frameworks: { readonly tools: number; readonly costs: readonly FrameworkCost[] }
  readonly encoding: { readonly tools: number; readonly times: readonly EncodingTime[] }
}

const HEAD = [
  '',
  'stable prefix',
  'first request',
  'reduction',
  'total input',
  'with cache',
  'cheaper',
  'below eager',
  'last request',
]

/** The report as Markdown. */
export function printWireReport({
  date,
  machine,
  catalogues,
  frameworks,
  encoding,
}: WireReport): string {
  return [
    '# What a conversation costs',
    '',
    ...measuredOn(date, machine),
    '',
    'One conversation of 30 requests with 12 searches, through the official clients of the providers.',
    '',
    ...catalogues.flatMap(({ tools, ways }) => [
      `## ${tools} tools`,
      '',
      ...markdownTable(HEAD, ways.map(printWay)),
      '',
    ]),
    '- *Stable prefix*: whether each request starts with the same bytes as the one before it, and if',
    '  not, how often the prefix changed. *First request*: tokens of tools, tool listing and system',
    '  prompt. *Reduction*: compared with sending every tool.',
    '- *Total input*: input tokens of all requests. *With cache*: the same, with the unchanged prefix',
    '  at a tenth of the price. *Cheaper*: compared with every tool in every request, uncached.',
    '- *Below eager*: from this request on, the total stays below that of sending every tool with',
    '  caching. *Last request*: its size, including deferred definitions that the model does not see.',
    '- Our search loads up to five tools. The searches of the providers (`native` and `hosted`)',
    '  are assumed to find exactly the tools that the conversation needs, which favours those',
    '  rows. In the row with every tool, the model replies with text instead of searching.',
    '- Tokens are counted with o200k_base for every provider.',
    '',
    `## Frameworks with ${frameworks.tools} tools`,
    '',
    "Twenty user turns through the framework's own agent, with parallel calls, calls to unseen and unknown",
    'tools, wrong arguments, a tool added and two removed. *Rejected*: requests that the service rejected.',
    '',
    ...markdownTable(
      ['', 'requests', 'rejected', 'stable prefix', 'first request', 'total input', 'with cache'],
      frameworks.costs.map((cost) => [
        cost.framework,
        number(cost.requests),
        number(cost.rejected),
        stability(cost.breaks),
        number(cost.standingTokens),
        number(cost.inputTokens),
        number(cost.cachedTokens),
      ]),
    ),
    '',
    `## Building a request with ${encoding.tools} tools`,
    '',
    'The first request of a conversation, and the median of 300 further ones with a history of 20 and of',
    '200 messages with calls and results.',
    '',
    ...markdownTable(
      ['', 'first', '20 messages', '200 messages'],
      encoding.times.map(({ way, first, short, long }) => [
        way,
        milliseconds(first),
        milliseconds(short),
        milliseconds(long),
      ]),
    ),
  ].join('\n')
}

function printWay(cost: ModeCost): string[] {
  return [
    cost.way,
    stability(cost.breaks),
    number(cost.standingTokens),
    `${cost.cutPercent.toFixed(1)} %`,
    number(cost.inputTokens),
    number(cost.cachedTokens),
    `${cost.timesLess.toFixed(1)} ×`,
    cost.belowEagerFrom === undefined ? 'never' : `from ${cost.belowEagerFrom}`,
    `${number(cost.bytes / 1000)} kB`,
  ]
}

function stability(breaks: number): string {
  return breaks === 0 ? 'yes' : `no, ${breaks} times`
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`
}
