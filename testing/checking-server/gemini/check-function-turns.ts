import type { Problem } from '../problem.ts'
import type { Content, GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'

/** Calls must follow a user content or responses, and the next content must answer all of them. */
export function checkFunctionTurns({ contents = [] }: GeminiBody): Problem | undefined {
  for (const [index, content] of contents.entries()) {
    const problem = checkCalls(contents, index) ?? checkResponses(content, contents[index - 1])
    if (problem) return problem
  }
  return undefined
}

function checkCalls(contents: readonly Content[], index: number): Problem | undefined {
  const calls = callNames(contents[index])
  if (calls.length === 0) return undefined
  const before = contents[index - 1]
  if (!before || before.role === 'model') {
    return geminiProblem(
      400,
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    )
  }
  const answers = responseNames(contents[index + 1])
  if (answers.length !== calls.length) {
    return geminiProblem(
      400,
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    )
  }
  const remaining = [...answers]
  for (const name of calls) {
    const at = remaining.indexOf(name)
    if (at < 0) {
      return geminiProblem(
        400,
        `Please ensure that each function response has the name of its function call: ${name}`,
      )
    }
    remaining.splice(at, 1)
  }
  return undefined
}

function checkResponses(content: Content, before: Content | undefined): Problem | undefined {
  if (responseNames(content).length === 0 || callNames(before).length > 0) return undefined
  return geminiProblem(
    400,
    'Please ensure that function response turn comes immediately after a function call turn.',
  )
}

function callNames(content: Content | undefined): string[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) =>
    functionCall ? [functionCall.name] : [],
  )
}

function responseNames(content: Content | undefined): string[] {
  return (content?.parts ?? []).flatMap(({ functionResponse }) =>
    functionResponse ? [functionResponse.name] : [],
  )
}
