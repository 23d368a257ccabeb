import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** The refusal of an object that lacks a field. */
export function missingParameter(param: string): Problem {
  return openaiProblem(400, `Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  })
}
