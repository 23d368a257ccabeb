import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { AnswerServerRequest } from '../protocol/server-request.ts'
import { decline } from '../protocol/server-request.ts'
import type { Caller } from './caller.ts'
import { canAnswer } from './can-answer.ts'

/**
 * Calls that wait for an answer of their caller, for servers of the older era and clients of the newer.
 *
 * Such a server asks in the middle of a call; such a client is asked by a result, and calls again with
 * the answer. In between the call waits here.
 */
export interface ParkedCalls {
  /** Runs a call and gives its result, or the first thing that the server asks as a result. */
  start(caller: Caller, run: (options: RequestOptions) => Promise<JsonObject>): Promise<JsonObject>
  /** Goes on with a call that waits. Nothing if the state is not that of one. */
  resume(caller: Caller, state: unknown, responses: JsonObject): Promise<JsonObject> | undefined
}

export interface ParkedCallsOptions {
  /** How long a call waits before it is cancelled. @default 10 minutes */
  readonly patienceMs?: number
  readonly newId?: () => string
}

interface Ask {
  readonly method: string
  readonly params: JsonObject
  readonly answer: (result: JsonObject | Promise<JsonObject>) => void
}

interface Call {
  readonly controller: AbortController
  readonly outcome: Promise<JsonObject>
  readonly asks: Ask[]
  /** Its caller, by the latest of the requests. */
  caller: Caller
  onAsk?: () => void
}

const PREFIX = 'toolsearch-parked:'
const KEY = 'answer'

export function createParkedCalls({
  patienceMs = 600_000,
  newId = randomUUID,
}: ParkedCallsOptions = {}): ParkedCalls {
  const parked = new Map<string, { call: Call; ask: Ask; timer: NodeJS.Timeout }>()

  /** Until the next thing that the caller must hear of. */
  async function follow(call: Call): Promise<JsonObject> {
    const { signal } = call.caller.options
    const cancel = () => call.controller.abort()
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const asked = new Promise<void>((resolve) => {
        call.onAsk = resolve
        if (call.asks.length > 0) resolve()
      })
      const result = await Promise.race([call.outcome, asked])
      return result ?? park(call, call.asks.shift()!)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  function park(call: Call, ask: Ask): JsonObject {
    const state = `${PREFIX}${newId()}`
    const timer = setTimeout(() => {
      parked.delete(state)
      call.controller.abort()
    }, patienceMs)
    timer.unref()
    parked.set(state, { call, ask, timer })
    const { method, params } = ask
    const mode = method === 'elicitation/create' && { mode: params.mode ?? 'form' }
    return {
      resultType: 'input_required',
      inputRequests: { [KEY]: { method, params: { ...params, ...mode } } },
      requestState: state,
    }
  }

  return {
    start(caller, run) {
      const asks: Ask[] = []
      const controller = new AbortController()
      const onServerRequest: AnswerServerRequest = (method, params, signal) => {
        if (!canAnswer(call.caller.capabilities, method, params)) {
          return decline(method, params, signal)
        }
        return new Promise((resolve) => {
          // the server is not left waiting for who has given up
          const giveUp = () => resolve(decline(method, params, signal))
          const answer: Ask['answer'] = (result) => {
            controller.signal.removeEventListener('abort', giveUp)
            resolve(result)
          }
          controller.signal.addEventListener('abort', giveUp, { once: true })
          asks.push({ method, params, answer })
          call.onAsk?.()
        })
      }
      const { options } = caller
      const passed: RequestOptions = {
        ...options,
        signal: controller.signal,
        onServerRequest,
        onNotification: (...news) => call.caller.options.onNotification?.(...news),
        ...(options.onProgress && {
          onProgress: (progress: JsonObject) => call.caller.options.onProgress?.(progress),
        }),
      }
      // a moment later: what it runs may ask at once
      const outcome = Promise.resolve().then(() => run(passed))
      const call: Call = { controller, asks, caller, outcome }
      // it may fail while nobody waits for it
      outcome.catch(() => {})
      return follow(call)
    },
    resume(caller, state, responses) {
      const waiting = parked.get(state as string)
      if (!waiting) return undefined
      parked.delete(state as string)
      clearTimeout(waiting.timer)
      const { call, ask } = waiting
      call.caller = caller
      const { signal } = call.controller
      const given = responses[KEY] as JsonObject | undefined
      ask.answer(given ?? decline(ask.method, ask.params, signal))
      return follow(call)
    },
  }
}
