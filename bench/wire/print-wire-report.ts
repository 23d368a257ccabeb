import type { Machine } from '../speed/machine.ts'
import type { ModeCost } from './compare-modes.ts'
import type { EncodingTime } from './measure-encoding.ts'

export interface WireReport {
  readonly date: string
  readonly machine: Machine
  readonly catalogues: readonly { readonly tools: number; readonly ways: readonly ModeCost[] }[]
  readonly encoding: { readonly tools: number; readonly times: readonly EncodingTime[] }
}

const HEAD = ['', 'stays', 'at the start', 'cut', 'in all', 'cached', 'less', 'below eager', 'sent']

/** The report as Markdown. */
export function printWireReport({ date, machine, catalogues, encoding }: WireReport): string {
  return [
    '# What a conversation costs',
    '',
    `${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, node ${machine.node}.`,
    '',
    'One conversation of 30 requests, 12 of which search, through the clients of the providers.',
    '',
    ...catalogues.flatMap(({ tools, ways }) => [
      `## ${tools} tools`,
      '',
      table(HEAD, ways.map(printWay)),
      '',
    ]),
    '- *stays*: the beginning of a request is that of the one before, byte for byte; otherwise how',
    '  often it changed. *At the start*: tokens of tools, list of hidden tools and system prompt in the',
    '  first request; *cut*: how much less that is than with every tool.',
    '- *In all*: input tokens of all requests. *Cached*: the same with what the request before began',
    '  with at a tenth. *Less*: how many times less that is than every tool in every request, uncached.',
    '- *Below eager*: the request from which on the sum stays below that of every tool sent and cached.',
    '  *Sent*: kilobytes of the last request, where deferred definitions travel along unseen.',
    '- Searches load up to five tools, as our ranker finds them. The providers’ own searches are taken',
    '  to find just the tools that are needed, so those rows flatter them. The row with every tool has',
    '  a plain sentence where the others search.',
    '- Tokens are counted with o200k_base for every provider.',
    '',
    `## Writing a request with ${encoding.tools} tools`,
    '',
    table(
      ['', 'first', 'median after it'],
      encoding.times.map(({ way, first, median }) => [
        way,
        milliseconds(first),
        milliseconds(median),
      ]),
    ),
  ].join('\n')
}

function printWay(cost: ModeCost): string[] {
  return [
    cost.way,
    cost.breaks === 0 ? 'yes' : `no, ${cost.breaks} times`,
    number(cost.standingTokens),
    `${cost.cutPercent.toFixed(1)} %`,
    number(cost.inputTokens),
    number(cost.cachedTokens),
    `${cost.timesLess.toFixed(1)} ×`,
    cost.belowEagerFrom === undefined ? 'never' : `from ${cost.belowEagerFrom}`,
    `${number(cost.bytes / 1000)} kB`,
  ]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`
}
