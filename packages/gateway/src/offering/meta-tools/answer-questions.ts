import { type JsonObject, textOf } from '../../protocol/json-object.ts'
import type { RequestOptions } from '../../protocol/request-options.ts'
import { decline } from '../../protocol/server-request.ts'
import { failure } from '../call-failure.ts'
import type { CallResult } from '../large-results.ts'

/** A server that asks more often in one call probably never stops. */
const MAX_ROUNDS = 10

/**
 * Makes a call whose result must be final. Servers of the modern protocol ask with a result and expect
 * the call again, with the answers. The questions go to the client like those of other servers.
 */
export async function answerQuestions(
  params: JsonObject,
  options: RequestOptions,
  run: (params: JsonObject, options: RequestOptions) => Promise<CallResult>,
): Promise<CallResult> {
  let round = params
  for (let count = 0; count < MAX_ROUNDS; count += 1) {
    const result = await run(round, options)
    if (result.resultType !== 'input_required') return result
    const { inputRequests, requestState } = result
    round = {
      ...params,
      inputResponses: await answers((inputRequests ?? {}) as Questions, options),
      ...(requestState !== undefined && { requestState }),
    }
  }
  return failure(`${textOf(params.name)} asked for input more than ${MAX_ROUNDS} times.`)
}

type Questions = Readonly<Record<string, { readonly method: string; readonly params: JsonObject }>>

async function answers(
  questions: Questions,
  { onServerRequest = decline, signal }: RequestOptions,
): Promise<JsonObject> {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const answered: [string, JsonObject][] = []
  try {
    // One after the other: a person can answer only one at a time.
    for (const [key, { method, params }] of Object.entries(questions)) {
      answered.push([key, await onServerRequest(method, params, controller.signal)])
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  return Object.fromEntries(answered)
}
