import { checkKey, checkRejects } from '../openai/check-request.ts'
import { openaiProblem } from '../openai/openai-problem.ts'
import { firstProblem } from '../problem.ts'
import type { Reply } from '../reply.ts'
import type { Service } from '../service.ts'
import { callableTools } from './callable-tools.ts'
import { checkCalls } from './check-calls.ts'
import { checkDeferral } from './check-deferral.ts'
import { checkFields } from './check-fields.ts'
import { checkItems } from './check-items.ts'
import { checkNamespaces, checkUniqueNamespaces } from './check-namespaces.ts'
import { checkOutputs } from './check-outputs.ts'
import { checkToolChoice } from './check-tool-choice.ts'
import { checkTools } from './check-tools.ts'
import { createResponseStore } from './create-response-store.ts'
import { encodeResponses } from './encode-responses.ts'
import type { ResponsesBody } from './responses-body.ts'
import { responsesPrompt } from './responses-prompt.ts'
import { streamResponses } from './stream-responses.ts'

export interface OpenaiResponsesOptions {
  /**
   * Fields, item types and tool types that the endpoint does not support.
   * @default []
   */
  rejects?: readonly string[]
  /**
   * Whether a namespace may appear only once in a request, including its history.
   * @default false
   */
  uniqueNamespaces?: boolean
}

/** OpenAI's Responses API, or with `rejects` a compatible endpoint. */
export function openaiResponses({
  rejects = [],
  uniqueNamespaces = false,
}: OpenaiResponsesOptions = {}): Service {
  const store = createResponseStore()
  const checks = [
    checkItems,
    checkOutputs,
    checkTools,
    ...(uniqueNamespaces ? [checkUniqueNamespaces] : []),
    checkDeferral,
    checkCalls,
    checkNamespaces,
    checkToolChoice,
  ]
  // These check the raw request. The others get the resolved request and rely on lists being arrays.
  const rawChecks = [checkKey, checkRejects(rejects), checkFields, store.missing]

  const encode = (reply: Reply, body: ResponsesBody) => {
    const response = encodeResponses(reply, store.resolve(body))
    store.keep(body, response)
    return response
  }

  return {
    matches: (path) => /\/responses(\?|$)/.test(path),
    check: (body: ResponsesBody, headers) =>
      firstProblem(rawChecks, body, headers) ?? firstProblem(checks, store.resolve(body)),
    streams: (body) => body.stream === true,
    callableTools: (body: ResponsesBody, reply) => callableTools(store.resolve(body), reply),
    encode,
    stream: (reply, body: ResponsesBody) => streamResponses(encode(reply, body)),
    promptOf: (body: ResponsesBody) => responsesPrompt(store.resolve(body)),
    problem: openaiProblem,
  }
}
