import type { Problem } from '../problem.ts'
import type { GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'

const ROLES = ['user', 'model']

/** There must be contents, with a valid role and with non-empty parts. */
export function checkContents({ contents }: GeminiBody): Problem | undefined {
  if (!Array.isArray(contents) || contents.length === 0) {
    return geminiProblem(400, '* GenerateContentRequest.contents: contents is not specified\n')
  }
  for (const [index, { role = 'user', parts = [] }] of contents.entries()) {
    const place = `GenerateContentRequest.contents[${index}].parts`
    if (!ROLES.includes(role)) {
      return geminiProblem(400, 'Please use a valid role: user, model.')
    }
    if (parts.length === 0) {
      return geminiProblem(400, `* ${place}: contents.parts must not be empty.\n`)
    }
    const empty = parts.findIndex((part: object) => Object.keys(part).length === 0)
    if (empty >= 0) {
      return geminiProblem(
        400,
        `* ${place}[${empty}].data: required oneof field 'data' must have one initialized field\n`,
      )
    }
  }
  return undefined
}
