import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { openaiProblem } from './openai-problem.ts'

/** A key must be given. */
export function checkKey(_: object, headers: IncomingHttpHeaders): Problem | undefined {
  if (headers.authorization?.startsWith('Bearer ')) return undefined
  return openaiProblem(401, "You didn't provide an API key.", { code: 'invalid_api_key' })
}
