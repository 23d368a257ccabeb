import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import type { MessagesBody } from './messages-body.ts'

/** Requires an API key, in one of two headers, and a version. */
export function checkHeaders(_: MessagesBody, headers: IncomingHttpHeaders): Problem | undefined {
  const hasKey = headers['x-api-key'] || headers.authorization?.startsWith('Bearer ')
  if (!hasKey) return anthropicProblem(401, 'x-api-key header is required')
  if (!headers['anthropic-version']) {
    return anthropicProblem(400, 'anthropic-version: header is required')
  }
  return undefined
}

/** The beta features that a request enables. */
export function betasOf(headers: IncomingHttpHeaders): string[] {
  const value = headers['anthropic-beta'] ?? ''
  return String(value)
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}
