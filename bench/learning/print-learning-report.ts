import { mean } from '../statistics.ts'
import { markdownTable } from '../table.ts'
import type { LearnedSet, LearningReport } from './learning-report.ts'

export function printLearningReport(report: LearningReport): string {
  const rankers = [...new Set(report.sets.map(({ ranker }) => ranker))]
  return [
    '# Learning from use',
    '',
    `${report.date.slice(0, 10)}. R@5 of requests that nobody has made before, without a memory and after other requests for the`,
    'same tools were used. The requests of each tool are divided in two. The first half is searched, and the right tool is',
    `called, by ${report.people} people in turn; the second half is measured. No request of one half has the same words as one of`,
    'the other. If the first search does not return the right tool, the agent asks for it by name and calls it; "found only"',
    'leaves those requests out. "Attacked": one more person searches with',
    `${report.wrongChoices} of the first requests and calls the best-ranked wrong tool each time, ${report.repetitions} times over.`,
    '',
    'Sets with * were in view when the weights were chosen.',
    ...rankers.flatMap((ranker) => [
      '',
      `## ${ranker === 'hybrid' ? 'Keywords and meaning' : 'Keywords'}`,
      '',
      ...table(report.sets.filter((set) => set.ranker === ranker)),
    ]),
  ].join('\n')
}

function table(sets: readonly LearnedSet[]): string[] {
  return markdownTable(
    [
      'set',
      'tools',
      'used',
      'measured',
      'without',
      'learned',
      'gain',
      'found only',
      'attacked',
      'cost',
    ],
    [...sets.map(row), ...means(sets)],
  )
}

function row(set: LearnedSet): string[] {
  return [
    set.isInView ? `${set.set} *` : set.set,
    String(set.tools),
    String(set.used),
    String(set.measured),
    ...figures(set),
  ]
}

function means(sets: readonly LearnedSet[]): string[][] {
  const groups = [
    ['mean', sets],
    ['mean of sets not in view', sets.filter(({ isInView }) => !isInView)],
  ] as const
  return groups
    .filter(([, of]) => of.length > 0)
    .map(([label, of]) => {
      const average = (field: 'without' | 'learned' | 'foundOnly' | 'attacked') =>
        mean(of.map((set) => set[field]))
      const fields = {
        without: average('without'),
        learned: average('learned'),
        foundOnly: average('foundOnly'),
        attacked: average('attacked'),
      }
      return [label, '', '', '', ...figures(fields)]
    })
}

type Figures = Pick<LearnedSet, 'without' | 'learned' | 'foundOnly' | 'attacked'>

function figures({ without, learned, foundOnly, attacked }: Figures): string[] {
  return [
    without.toFixed(1),
    learned.toFixed(1),
    signed(learned - without),
    signed(foundOnly - without),
    attacked.toFixed(1),
    signed(attacked - learned),
  ]
}

function signed(value: number): string {
  const text = value.toFixed(1)
  return value > 0 && text !== '0.0' ? `+${text}` : text.replace('-0.0', '0.0')
}
