import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** The refusal of a list that must not be empty. */
export function emptyArray(param: string): Problem {
  return openaiProblem(
    400,
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  )
}
