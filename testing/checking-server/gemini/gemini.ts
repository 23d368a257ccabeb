import { firstProblem } from '../problem.ts'
import type { Service } from '../service.ts'
import { callableTools } from './callable-tools.ts'
import { checkContents } from './check-contents.ts'
import { checkFunctionTurns } from './check-function-turns.ts'
import { checkMedia } from './check-media.ts'
import { checkKey, checkRejects } from './check-request.ts'
import { checkSignatures } from './check-signatures.ts'
import { checkToolConfig } from './check-tool-config.ts'
import { checkTools } from './check-tools.ts'
import { encodeGemini } from './encode-gemini.ts'
import type { GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'
import { geminiPrompt } from './gemini-prompt.ts'
import { streamGemini } from './stream-gemini.ts'

export interface GeminiOptions {
  /**
   * Fields that the endpoint does not support.
   * @default []
   */
  rejects?: readonly string[]
  /**
   * Whether a function response may contain media, as with Gemini 3 and later.
   * @default true
   */
  nestsMedia?: boolean
  /**
   * Whether calls have thought signatures that must be sent back, as with Gemini 3.
   * @default false
   */
  signatures?: boolean
}

/** Google's Gemini API: `generateContent`, complete and streamed. */
export function gemini({
  rejects = [],
  nestsMedia = true,
  signatures = false,
}: GeminiOptions = {}): Service {
  const checks = [
    checkKey,
    checkRejects(rejects),
    checkContents,
    checkMedia(nestsMedia),
    checkTools,
    checkFunctionTurns,
    ...(signatures ? [checkSignatures] : []),
    checkToolConfig,
  ]
  return {
    matches: (path) =>
      /\/models\/[^/]+:(generateContent(\?|$)|streamGenerateContent\?alt=sse)/.test(path),
    check: (body: GeminiBody, headers) => firstProblem(checks, body, headers),
    streams: (_, path) => path.includes(':streamGenerateContent'),
    callableTools,
    encode: (reply, body: GeminiBody) => encodeGemini(reply, body, signatures),
    stream: (reply, body: GeminiBody) => streamGemini(encodeGemini(reply, body, signatures)),
    promptOf: geminiPrompt,
    problem: geminiProblem,
  }
}
