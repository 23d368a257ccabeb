import { findSets } from '../data/read-sets.ts'
import { type EvaluationSet, readEvaluationSet } from '../evaluation/evaluation-set.ts'
import { isOwnSet, OWN_SETS } from '../evaluation/own-sets.ts'
import { InputError } from '../input-error.ts'
import type { MeasuredSet } from './measure-learning.ts'

/** Reads the public sets in a folder and those of this repository. @throws InputError */
export function readLearningSets(folder: string, only: readonly string[]): MeasuredSet[] {
  const isOwnOnly = only.length > 0 && only.every(isOwnSet)
  const files = isOwnOnly ? [] : findSets(folder)
  const names = [...Object.keys(OWN_SETS), ...files.map(({ name }) => name)]
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new InputError(`No set "${unknown}". There are: ${names.join(', ')}.`)
  }
  return names
    .filter((name) => only.length === 0 || only.includes(name))
    .map((name) => {
      const { tools, queries } = readSet(name)
      return { name, tools, queries }
    })

  function readSet(name: string): EvaluationSet {
    if (isOwnSet(name)) return OWN_SETS[name]()
    const set = files.find((file) => file.name === name)!
    return readEvaluationSet({ tools: [set.tools], queries: [set.queries] })
  }
}
