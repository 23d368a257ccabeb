import type { Tool } from 'toolsearch'
import type { EvaluationQuery } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { findSets } from '../data/read-sets.ts'
import { InputError } from '../input-error.ts'
import { readEvaluationSet } from './evaluation-set.ts'

export interface TuningSet {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly queries: readonly EvaluationQuery[]
}

/**
 * Reads the data sets of a folder, with about `count` evenly spaced queries each. Queries without a
 * relevant tool are left out.
 *
 * @throws InputError if there are fewer than two sets: tuning leaves each out once
 */
export function readTuningSets(folder: string, count: number): TuningSet[] {
  const sets = findSets(folder)
  if (sets.length < 2) throw new InputError(`Tuning needs at least two data sets in ${folder}.`)
  return sets.map(({ name, tools: toolsFile, queries: queriesFile }) => {
    const { tools, queries } = readEvaluationSet({ tools: [toolsFile], queries: [queriesFile] })
    const step = Math.max(1, Math.floor(queries.length / count))
    return {
      name,
      tools,
      queries: queries.filter((query, at) => at % step === 0 && query.relevant.length > 0),
    }
  })
}
