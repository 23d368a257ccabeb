import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import type { MessagesBody } from './messages-body.ts'

/** The service's JSON parser rejects half of a surrogate pair. */
export function checkUnicode(body: MessagesBody): Problem | undefined {
  if (isWellFormed(body)) return undefined
  return anthropicProblem(
    400,
    'The request body is not valid JSON: no low surrogate in string: line 1 column 1 (char 0)',
  )
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  const entries: [string, unknown][] = Object.entries(value)
  return entries.every(([key, child]) => key.isWellFormed() && isWellFormed(child))
}
