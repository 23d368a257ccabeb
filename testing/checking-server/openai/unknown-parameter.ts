import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** The refusal of a field that does not belong where it is. */
export function unknownParameter(param: string): Problem {
  return openaiProblem(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' })
}
