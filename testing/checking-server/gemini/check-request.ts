import type { IncomingHttpHeaders } from 'node:http'
import { findRejectedPart } from '../find-rejected-part.ts'
import type { Problem } from '../problem.ts'
import type { GeminiBody } from './gemini-body.ts'
import { geminiProblem, unknownName } from './gemini-problem.ts'

/** Requires an API key. */
export function checkKey(_: GeminiBody, headers: IncomingHttpHeaders): Problem | undefined {
  if (headers['x-goog-api-key'] || headers.authorization) return undefined
  return geminiProblem(
    403,
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  )
}

const USER_DATA = [
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
  'text',
]

/** Rejects what a compatible endpoint does not support. */
export function checkRejects(
  rejects: readonly string[],
): (body: GeminiBody) => Problem | undefined {
  return (body) => {
    const part = findRejectedPart(body, rejects, USER_DATA)
    if (!part) return undefined
    const place = part.path
      .slice(0, -1)
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .slice(1)
    return unknownName(part.name, place)
  }
}
