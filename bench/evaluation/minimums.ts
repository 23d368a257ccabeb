import type { EvaluationSummary, Reliability } from 'toolsearch/evaluation'
import { InputError } from '../input-error.ts'

/** What a search has to reach, by option of `npm run bench -- eval`. All are shares from 0 to 1. */
export type Minimums = Readonly<Partial<Record<Minimum, number>>>

type Minimum =
  | 'min-recall'
  | 'max-unanswered'
  | 'max-doubted'
  | 'min-doubted'
  | 'min-abstention'
  | 'min-reliability'

interface Figure {
  readonly name: string
  readonly help: string
  readonly read: (all: EvaluationSummary, reliability: Reliability) => number | undefined
}

const FIGURES: Readonly<Record<Minimum, Figure>> = {
  'min-recall': {
    name: 'R@5',
    help: 'R@5 is below this share (0 to 1)',
    read: ({ scores }) => scores?.recallAt5,
  },
  'max-unanswered': {
    name: 'The share of queries with a relevant tool that got no result',
    help: 'more queries with a relevant tool get no result',
    read: ({ unanswered }) => unanswered,
  },
  'max-doubted': {
    name: 'The share of queries with a relevant tool that got a doubtful result',
    help: 'more queries with a relevant tool get low confidence or no result',
    read: ({ wronglyDoubted }) => wronglyDoubted,
  },
  'min-doubted': {
    name: 'The share of queries without a relevant tool that got a doubtful result',
    help: 'fewer queries without a relevant tool get low confidence or no result',
    read: ({ doubted }) => doubted,
  },
  'min-abstention': {
    name: 'Abstention',
    help: 'fewer queries without a relevant tool get no result',
    read: ({ abstained }) => abstained,
  },
  'min-reliability': {
    name: 'The share of results with high confidence that contain a relevant tool',
    help: 'fewer results with high confidence contain a relevant tool',
    read: (_, { levels }) => levels.find(({ confidence }) => confidence === 'high')?.right,
  },
}

/** The options and what makes each of them fail, for the help. */
export const MINIMUMS: readonly { readonly option: Minimum; readonly help: string }[] =
  Object.entries(FIGURES).map(([option, { help }]) => ({ option: option as Minimum, help }))

/**
 * A message for each minimum or maximum that is missed.
 *
 * @throws InputError if there is no figure to check: it must not look like a check that passed
 */
export function missedMinimums(
  minimums: Minimums,
  all: EvaluationSummary,
  reliability: Reliability,
): string[] {
  return MINIMUMS.flatMap(({ option }) => {
    const bound = minimums[option]
    if (bound === undefined) return []
    const { name, read } = FIGURES[option]
    const value = read(all, reliability)
    if (value === undefined) throw new InputError(`--${option}: the set has no queries to check.`)
    const isMaximum = option.startsWith('max-')
    if (isMaximum ? value <= bound : value >= bound) return []
    const side = isMaximum ? 'above' : 'below'
    return [`${name} is ${value.toFixed(4)}, ${side} --${option} ${bound}.`]
  })
}
