import type { Problem } from '../problem.ts'
import type { Content, GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'

/**
 * In the current turn, the first call of every content needs a thought signature. The turn starts
 * with the last user content that is not a response.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function checkSignatures({ contents = [] }: GeminiBody): Problem | undefined {
  const start = contents.findLastIndex(isPrompt)
  for (const [index, { parts = [] }] of contents.entries()) {
    const position = parts.findIndex((part) => part.functionCall)
    if (index < start || position < 0 || parts[position]!.thoughtSignature) continue
    return geminiProblem(
      400,
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${parts[position]!.functionCall!.name}\` , position ${index + 1}.`,
    )
  }
  return undefined
}

function isPrompt({ role = 'user', parts = [] }: Content): boolean {
  return role === 'user' && parts.some((part) => !part.functionResponse)
}
