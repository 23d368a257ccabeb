import { findRejectedPart } from '../find-rejected-part.ts'
import type { Problem } from '../problem.ts'
import type { GeminiBody } from './gemini-body.ts'
import { unknownName } from './unknown-name.ts'

const USER_DATA = [
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseJsonSchema',
  'responseSchema',
  'text',
]

/** Refuses what an endpoint that only imitates the service does not know. */
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
