import { findRejectedPart } from '../find-rejected-part.ts'
import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'
import { unknownParameter } from './unknown-parameter.ts'

const USER_DATA = [
  'parameters',
  'arguments',
  'output_schema',
  'output',
  'text',
  'schema',
  'metadata',
]

/** Refuses what an endpoint that only imitates the service does not know. */
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
