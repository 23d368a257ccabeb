import { firstProblem } from '../first-problem.ts'
import { checkKey } from '../openai/check-key.ts'
import { checkRejects } from '../openai/check-rejects.ts'
import { openaiProblem } from '../openai/openai-problem.ts'
import type { Service } from '../service.ts'
import { checkCalls } from './check-calls.ts'
import { checkDeferral } from './check-deferral.ts'
import { checkFields } from './check-fields.ts'
import { checkItems } from './check-items.ts'
import { checkNamespaces } from './check-namespaces.ts'
import { checkToolChoice } from './check-tool-choice.ts'
import { checkTools } from './check-tools.ts'
import { checkUniqueNamespaces } from './check-unique-namespaces.ts'
import { encodeResponses } from './encode-responses.ts'
import type { ResponsesBody } from './responses-body.ts'
import { responsesPrompt } from './responses-prompt.ts'
import { streamResponses } from './stream-responses.ts'

export interface OpenaiResponsesOptions {
  /**
   * Fields, item types and tool types that the endpoint does not know.
   * @default []
   */
  rejects?: readonly string[]
  /**
   * Whether a namespace may be named only once in a request, history included.
   * @default false
   */
  uniqueNamespaces?: boolean
}

/** OpenAI's Responses API, or with `rejects` an endpoint that imitates it. */
export function openaiResponses({
  rejects = [],
  uniqueNamespaces = false,
}: OpenaiResponsesOptions = {}): Service {
  const checks = [
    checkKey,
    checkRejects(rejects),
    // the checks after these two may take lists for lists
    checkFields,
    checkItems,
    checkTools,
    ...(uniqueNamespaces ? [checkUniqueNamespaces] : []),
    checkDeferral,
    checkCalls,
    checkNamespaces,
    checkToolChoice,
  ]
  return {
    matches: (path) => /\/responses(\?|$)/.test(path),
    check: (body, headers) => firstProblem(checks, body as ResponsesBody, headers),
    streams: (body) => body.stream === true,
    encode: (reply, body) => encodeResponses(reply, body as ResponsesBody),
    stream: (reply, body) => streamResponses(encodeResponses(reply, body as ResponsesBody)),
    promptOf: (body) => responsesPrompt(body as ResponsesBody),
    problem: openaiProblem,
  }
}
