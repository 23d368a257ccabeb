import type { IncomingHttpHeaders } from 'node:http'
import { findRejectedPart } from '../find-rejected-part.ts'
import type { Problem } from '../problem.ts'
import { openaiProblem, unknownParameter } from './openai-problem.ts'

/** Requires an API key. */
export function checkKey(_: object, headers: IncomingHttpHeaders): Problem | undefined {
  if (headers.authorization?.startsWith('Bearer ')) return undefined
  return openaiProblem(401, "You didn't provide an API key.", { code: 'invalid_api_key' })
}

const USER_DATA = [
  'parameters',
  'arguments',
  'output_schema',
  'output',
  'text',
  'schema',
  'metadata',
]

/** Rejects what a compatible endpoint does not support. */
export function checkRejects(rejects: readonly string[]): (body: object) => Problem | undefined {
  return (body) => {
    const part = findRejectedPart(body, rejects, USER_DATA)
    if (!part) return undefined
    const param = part.path
      .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
      .join('')
      .slice(1)
    if (part.kind === 'field') return unknownParameter(param)
    return openaiProblem(400, `Invalid value: '${part.name}'.`, {
      param: `${param}.type`,
      code: 'invalid_value',
    })
  }
}
