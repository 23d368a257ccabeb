import type { Problem } from '../problem.ts'
import { geminiProblem } from './gemini-problem.ts'

/** The refusal of a field that does not belong where it is. */
export function unknownName(name: string, place: string): Problem {
  return geminiProblem(
    400,
    `Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`,
  )
}
