import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import type { GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'

/** A key must be given. */
export function checkKey(_: GeminiBody, headers: IncomingHttpHeaders): Problem | undefined {
  if (headers['x-goog-api-key'] || headers.authorization) return undefined
  return geminiProblem(
    403,
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  )
}
