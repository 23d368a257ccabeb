import type { Problem } from '../problem.ts'
import { geminiProblem } from './gemini-problem.ts'

/** The refusal of a field whose value is wrong; fields are told in the way of their protocol. */
export function invalidField(field: string, message: string): Problem {
  return geminiProblem(
    400,
    `The GenerateContentRequest proto is invalid:\n  * ${field}: [FIELD_INVALID] ${message}`,
  )
}
