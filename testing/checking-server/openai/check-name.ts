import type { Problem } from '../problem.ts'
import { missingParameter } from './missing-parameter.ts'
import { openaiProblem } from './openai-problem.ts'

const NAME = /^[a-zA-Z0-9_-]+$/

/** The name of a function. */
export function checkName(name: unknown, param: string, maxLength: number): Problem | undefined {
  if (typeof name !== 'string') return missingParameter(param)
  if (!NAME.test(name)) {
    return openaiProblem(
      400,
      `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
      { param, code: 'invalid_value' },
    )
  }
  if (name.length > maxLength) {
    return openaiProblem(
      400,
      `Invalid '${param}': string too long. Expected a string with maximum length ${maxLength}, but got a string with length ${name.length} instead.`,
      { param, code: 'string_above_max_length' },
    )
  }
  return undefined
}
