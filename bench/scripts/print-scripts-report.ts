import { markdownTable } from '../table.ts'
import type { ConversationCost } from './conversation.ts'
import type { ScriptsReport } from './measure-scripts.ts'

export function printScriptsReport({ date, tools, tasks }: ScriptsReport): string {
  const all = (way: 'direct' | 'script', of: keyof ConversationCost) =>
    tasks.reduce((sum, task) => sum + task[way][of], 0)
  const more = tasks.filter(({ direct, script }) => script.processed > direct.processed)
  const row = (
    name: string,
    cost: (way: 'direct' | 'script', of: keyof ConversationCost) => number,
  ) => [
    name,
    ...(['turns', 'context', 'processed'] as const).flatMap((of) => [
      number(cost('direct', of)),
      number(cost('script', of)),
    ]),
    change(cost('direct', 'processed'), cost('script', 'processed')),
  ]
  return [
    '# What scripts save',
    '',
    `${date.slice(0, 10)}. Ten tasks on the published servers \`filesystem\`, \`memory\` and \`everything\` (${tools} tools), each with a`,
    'fixed plan: a search, then either direct calls or one script. Both must return the right answer.',
    '',
    ...markdownTable(
      ['', 'turns', 'script', 'context', 'script', 'processed', 'script', 'change'],
      [...tasks.map((task) => row(task.name, (way, of) => task[way][of])), row('**all**', all)],
    ),
    '',
    'Turns are requests to the model, including the one that writes the answer. Context is what the model has in front of it',
    'at the end: tool list, search answer, calls and results, in tokens (o200k_base). Processed is the sum of the prompts of',
    'all turns, without a prompt cache; the change refers to it. Direct calls that do not depend on each other are made in one',
    'turn. The plans are what a model would do that knows the shape of the data; one that does not has to look first, which',
    'costs another turn. No model was asked.',
    '',
    more.length === 0
      ? 'No task costs more with a script.'
      : `${more.length} of ${tasks.length} tasks cost more with a script: the tools that run scripts make the tool list longer, and a script is longer than a call.`,
  ].join('\n')
}

function change(before: number, after: number): string {
  const percent = Math.round((100 * (after - before)) / before)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent)} %`
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
