import { markdownTable } from '../table.ts'
import { type ConversationCost, PRICES } from './conversation.ts'
import { LARGE_RESULT, type MeasuredTask, type ScriptsReport, type Way } from './measure-scripts.ts'

export function printScriptsReport(report: ScriptsReport): string {
  const { date, tools, listTokens, severalCalls, oneCall } = report
  const all = [...severalCalls, ...oneCall]
  return [
    '# What scripts save',
    '',
    `${date.slice(0, 10)}. ${all.length} tasks on the published servers \`filesystem\`, \`memory\` and \`everything\` (${tools} tools), each with a`,
    'fixed plan: a search, then either direct calls or one script. Both must return the right answer and leave the',
    `right files. The tools that run scripts add ${number(listTokens)} tokens to the tool list.`,
    '',
    `## ${severalCalls.length} tasks with several calls`,
    '',
    ...table(severalCalls, ['script']),
    '',
    moreExpensive(severalCalls, 'script'),
    '',
    `## ${oneCall.length} tasks with one call`,
    '',
    'Agents that always write a script, and agents that write one where it pays off: for a result of more than',
    `${number(LARGE_RESULT)} tokens. The others call the tool directly, with the longer tool list.`,
    '',
    ...table(oneCall, ['script', 'mixed']),
    '',
    `## All ${all.length} tasks`,
    '',
    ...markdownTable(
      ['', 'turns', 'processed', 'change', 'price', 'change'],
      WAYS.map(([way, name]) => {
        const cost = (of: keyof ConversationCost) => sum(all, way, of)
        return [
          name,
          number(cost('turns')),
          number(cost('processed')),
          way === 'direct' ? '' : change(sum(all, 'direct', 'processed'), cost('processed')),
          number(cost('price')),
          way === 'direct' ? '' : change(sum(all, 'direct', 'price'), cost('price')),
        ]
      }),
    ),
    '',
    '## How it is measured',
    '',
    'Turns are requests to the model, including the one that writes the answer. Processed is the sum of the prompts of all',
    'turns, without a prompt cache: tool list (names, descriptions and parameters), search answer, calls and results, in tokens',
    `(o200k_base). Price is what the turns cost with a prompt cache, in tokens of uncached input: ${PRICES.cacheRead} for a cached token,`,
    `${PRICES.cacheWrite} for one that enters the cache and ${PRICES.output} for one that the model writes, as Anthropic charges them; the tool list is in`,
    'the cache from the start. Direct calls that do not depend on each other are made in one turn. The plans are what a model',
    'would do that knows the shape of the data; one that does not has to look first, which costs another turn. No model was',
    'asked.',
  ].join('\n')
}

const WAYS: readonly (readonly [Way, string])[] = [
  ['direct', 'direct calls, scripts off'],
  ['script', 'always a script'],
  ['mixed', 'a script for several calls or a large result'],
]

const NAMES: Readonly<Record<Exclude<Way, 'direct'>, string>> = {
  script: 'script',
  mixed: 'where it pays off',
}

/** Compares direct calls with other ways. */
function table(tasks: readonly MeasuredTask[], ways: readonly Exclude<Way, 'direct'>[]): string[] {
  const row = (name: string, cost: (way: Way, of: keyof ConversationCost) => number) => [
    name,
    number(cost('direct', 'calls')),
    number(cost('direct', 'turns')),
    number(cost('script', 'turns')),
    ...(['processed', 'price'] as const).flatMap((of) => [
      number(cost('direct', of)),
      ...ways.flatMap((way) => [number(cost(way, of)), change(cost('direct', of), cost(way, of))]),
    ]),
  ]
  const compared = ways.flatMap((way) => [NAMES[way], 'change'])
  return markdownTable(
    ['', 'calls', 'turns', 'script', 'processed', ...compared, 'price', ...compared],
    [
      ...tasks.map((task) => row(task.name, (way, of) => task[way][of])),
      row('**all**', (way, of) => sum(tasks, way, of)),
    ],
  )
}

function moreExpensive(tasks: readonly MeasuredTask[], way: Way): string {
  const more = tasks.filter((task) => task[way].processed > task.direct.processed)
  const names = more.map(({ name }) => `"${name}"`).join(', ')
  return more.length === 0
    ? 'No task costs more with a script.'
    : `${more.length} of ${tasks.length} cost more with a script: ${names}.`
}

function sum(tasks: readonly MeasuredTask[], way: Way, of: keyof ConversationCost): number {
  return tasks.reduce((total, task) => total + task[way][of], 0)
}

function change(before: number, after: number): string {
  const percent = Math.round((100 * (after - before)) / before)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
