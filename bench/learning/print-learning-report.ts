import { byRanker, rankerTitle } from '../by-ranker.ts'
import { mean } from '../statistics.ts'
import { markdownTable } from '../table.ts'
import { type Estimate, meanEstimate } from './estimate.ts'
import type { HighAnswers, LearnedSet, LearningCost, LearningReport } from './learning-report.ts'

export function printLearningReport(report: LearningReport): string {
  const { people, seeds, wrongChoices, repetitions, costs } = report
  return [
    '# Learning from use',
    '',
    `${report.date.slice(0, 10)}. R@5 of requests that nobody has made before, without a memory and after other requests for the`,
    'same tools were used. Differences are in points, with their standard errors.',
    '',
    'What is replayed: the requests of each tool are divided in two at random. One half is used, the other is',
    `measured, then the reverse, with ${seeds} random ${seeds === 1 ? 'division' : 'divisions'}. No two requests have the same words. ${people} people make the used`,
    'requests in turn. An agent searches with the request, and calls the right tool if it is among the first five.',
    'Otherwise it searches again, with up to four words: half of those in the first sentence of the',
    "tool's description, at random. If that does not return the tool either, nothing is called and nothing is learned.",
    '"Found only": agents never search again. The measured requests are those of one more person, who has used nothing.',
    '',
    'What adversaries cost everybody else:',
    '',
    `- "one": one person searches with ${wrongChoices} of the used requests and calls the best-ranked wrong tool, ${repetitions} times each.`,
    '  Repetitions that no longer change the memory are left out.',
    '- "two": two people do so.',
    '- "same tool": one person calls the same wrong tool after every used request. The memory keeps the last 50 uses of a tool.',
    '- "same words": one person knows the words of every measured request, and calls three tools after each that the',
    '  search does not return.',
    '',
    'No set is held out: the rules were chosen with all of them in view.',
    ...byRanker(report.sets, '##', (sets) => [
      ...gains(sets),
      '',
      'Searches with high confidence, and how many of them contain a tool that the request needs, in percent:',
      '',
      ...confidences(sets),
    ]),
    ...(costs.length === 0 ? [] : ['', '## Time of a search', '', ...costTable(costs)]),
  ].join('\n')
}

const DIFFERENCES = [
  ['gain', ({ gain }) => gain],
  ['found only', ({ foundOnly }) => foundOnly],
  ['one', ({ attacked }) => attacked.one],
  ['two', ({ attacked }) => attacked.two],
  ['same tool', ({ attacked }) => attacked.sameTool],
  ['same words', ({ attacked }) => attacked.sameWords],
] as const satisfies readonly (readonly [string, (set: LearnedSet) => Estimate])[]

function gains(sets: readonly LearnedSet[]): string[] {
  const names = DIFFERENCES.map(([name]) => name)
  const rows = sets.map((set) => [
    set.set,
    String(set.tools),
    String(set.requests),
    set.without.toFixed(1),
    ...DIFFERENCES.map(([, read]) => signed(read(set))),
  ])
  const means = [
    'mean',
    '',
    '',
    mean(sets.map(({ without }) => without)).toFixed(1),
    ...DIFFERENCES.map(([, read]) => signed(meanEstimate(sets.map(read)))),
  ]
  return markdownTable(['set', 'tools', 'requests', 'without', ...names], [...rows, means])
}

function confidences(sets: readonly LearnedSet[]): string[] {
  const row = (label: string, of: readonly LearnedSet[]) => {
    const cells = (answers: readonly HighAnswers[]) => {
      const some = answers.filter(({ share }) => share > 0)
      return [
        mean(answers.map(({ share }) => share)).toFixed(1),
        some.length === 0 ? '–' : mean(some.map(({ right }) => right)).toFixed(1),
      ]
    }
    return [
      label,
      ...cells(of.map(({ high }) => high.before)),
      ...cells(of.map(({ high }) => high.after)),
    ]
  }
  return markdownTable(
    ['set', 'without: high', 'right', 'learned: high', 'right'],
    [...sets.map((set) => row(set.set, [set])), row('mean', sets)],
  )
}

function costTable(costs: readonly LearningCost[]): string[] {
  return markdownTable(
    ['ranker', 'tools', 'uses', 'without', 'learned', 'ratio'],
    costs.map(({ ranker, tools, uses, withoutMs, learnedMs, ratio }) => [
      rankerTitle(ranker).toLowerCase(),
      String(tools),
      String(uses),
      `${withoutMs.toFixed(2)} ms`,
      `${learnedMs.toFixed(2)} ms`,
      ratio.toFixed(2),
    ]),
  )
}

function signed({ mean, error }: Estimate): string {
  const text = mean.toFixed(1)
  const sign = mean > 0 && text !== '0.0' ? `+${text}` : text.replace('-0.0', '0.0')
  return `${sign} ± ${error.toFixed(1)}`
}
