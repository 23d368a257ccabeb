import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { type AnswerServerRequest, decline } from '../protocol/server-request.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { canAnswer, type RequestingClient } from './requesting-client.ts'

/**
 * Calls of modern clients that wait for input which a legacy server has requested.
 *
 * A legacy server sends a request to the client in the middle of a call. A modern client receives
 * the question as the result of its call, and calls again with the answer. In between, the call to
 * the server stays open and is parked here.
 */
export interface ParkedCalls {
  /** Runs a call. Returns its result, or the server's first question as a result. */
  start(
    client: RequestingClient,
    run: (options: RequestOptions) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** Continues a parked call. Undefined if this person has parked no call with that state. */
  resume(
    client: RequestingClient,
    state: unknown,
    responses: JsonObject,
  ): Promise<JsonObject> | undefined
}

export interface ParkedCallsOptions {
  /** How long a call may stay parked before it is cancelled. @default 10 minutes */
  readonly timeoutMs?: number
  /** How many calls are parked at most. Beyond it, the person who has the most loses the oldest. @default 1000 */
  readonly capacity?: number
  readonly newId?: () => string
}

interface Question {
  readonly method: string
  readonly params: JsonObject
  readonly answer: (result: JsonObject | Promise<JsonObject>) => void
}

interface Call {
  readonly controller: AbortController
  readonly outcome: Promise<JsonObject>
  readonly questions: Question[]
  /** The sender of the latest round. */
  client: RequestingClient
  onQuestion?: () => void
}

interface Parked {
  readonly call: Call
  readonly question: Question
  readonly timer: NodeJS.Timeout
}

/** Starts every state of a parked call. */
export const PARKED_PREFIX = 'toolsearch-parked:'
const KEY = 'answer'

export function createParkedCalls({
  timeoutMs = 600_000,
  capacity = 1_000,
  newId = randomUUID,
}: ParkedCallsOptions = {}): ParkedCalls {
  const parked = createBoundedMap<string, Parked>(capacity, {
    ownerOf: ({ call }) => call.client.person,
    onDropped: end,
  })

  /** Waits for the result or the next question, whichever comes first. */
  async function nextResult(call: Call): Promise<JsonObject> {
    const { signal } = call.client.options
    const cancel = () => call.controller.abort()
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const asked = new Promise<void>((resolve) => {
        call.onQuestion = resolve
        if (call.questions.length > 0) resolve()
      })
      const result = await Promise.race([call.outcome, asked])
      return result ?? park(call, call.questions.shift()!)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  function park(call: Call, question: Question): JsonObject {
    const state = `${PARKED_PREFIX}${newId()}`
    const timer = setTimeout(() => {
      parked.delete(state)
      call.controller.abort()
    }, timeoutMs)
    timer.unref()
    parked.set(state, { call, question, timer })
    const { method, params } = question
    const mode = method === 'elicitation/create' && { mode: params.mode ?? 'form' }
    return {
      resultType: 'input_required',
      inputRequests: { [KEY]: { method, params: { ...params, ...mode } } },
      requestState: state,
    }
  }

  return {
    start(client, run) {
      const questions: Question[] = []
      const controller = new AbortController()
      const onServerRequest: AnswerServerRequest = (method, params, signal) => {
        if (!canAnswer(call.client.capabilities, method, params)) {
          return decline(method, params, signal)
        }
        return new Promise((resolve) => {
          // Do not leave the server waiting when the call is cancelled.
          const declineQuestion = () => resolve(decline(method, params, signal))
          const answer: Question['answer'] = (result) => {
            controller.signal.removeEventListener('abort', declineQuestion)
            resolve(result)
          }
          controller.signal.addEventListener('abort', declineQuestion, { once: true })
          questions.push({ method, params, answer })
          call.onQuestion?.()
        })
      }
      const { options } = client
      const forwarded: RequestOptions = {
        ...options,
        signal: controller.signal,
        onServerRequest,
        onNotification: (...notification) => call.client.options.onNotification?.(...notification),
        ...(options.onProgress && {
          onProgress: (progress: JsonObject) => call.client.options.onProgress?.(progress),
        }),
      }
      // Run it in a microtask: it may ask at once, and `call` has to be initialized by then.
      const outcome = Promise.resolve().then(() => run(forwarded))
      const call: Call = { controller, questions, client, outcome }
      // A parked call may fail while nobody awaits it.
      outcome.catch(() => {})
      return nextResult(call)
    },
    resume(client, state, responses) {
      const entry = parked.get(state as string)
      // What the server asked, and its result, are for the person who made the call.
      if (entry?.call.client.person !== client.person) return undefined
      parked.delete(state as string)
      clearTimeout(entry.timer)
      const { call, question } = entry
      call.client = client
      const { signal } = call.controller
      const response = responses[KEY] as JsonObject | undefined
      question.answer(response ?? decline(question.method, question.params, signal))
      return nextResult(call)
    },
  }
}

function end({ call, timer }: Parked): void {
  clearTimeout(timer)
  call.controller.abort()
}
