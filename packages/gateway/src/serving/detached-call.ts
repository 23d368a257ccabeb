import { ProtocolError, type ServerContext } from '@modelcontextprotocol/server'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { hasEnded, isTask } from '../protocol/task-extension.ts'
import { PARKED_PREFIX } from './parked-calls.ts'

/** A call that goes on after its request was answered with a task. */
export interface DetachedCall {
  /** The task, as `tasks/get` returns it. */
  readonly state: JsonObject
  /** Answers questions of the call. */
  update(inputResponses: JsonObject): void
  cancel(): void
  /** Settles when the call has ended. Never rejects. */
  readonly ended: Promise<void>
}

export interface DetachableCall {
  /** Settles with the first round of the call. */
  readonly outcome: Promise<JsonObject>
  /** Detaches the call from its request, which is answered with the task now. */
  detach(taskId: string): DetachedCall
}

/** Makes a round of the call: its start, or its continuation with what the client answered. */
type Round = (context: ServerContext) => Promise<JsonObject>

const POLL_MS = 2_000
/** How long the result can be read after the call has ended. */
export const KEPT_MS = 600_000

/**
 * Starts a call that can outlive its request. Once it is detached, the end of the request does not cancel
 * it, and it sends no notifications: tasks have none. Its progress messages become the status of the task.
 */
export function startDetachable(context: ServerContext, makeRound: Round): DetachableCall {
  const { mcpReq } = context
  const cancelled = new AbortController()
  const cancel = () => cancelled.abort()
  let isDetached = false
  let statusMessage: string | undefined
  if (mcpReq.signal.aborted) cancel()
  mcpReq.signal.addEventListener('abort', cancel, { once: true })

  /** The request of a round, with the answers to the questions of the previous one. */
  function roundOf(answers?: { responses: JsonObject; state: unknown }): ServerContext {
    const request = Object.create(mcpReq, {
      signal: { value: cancelled.signal },
      notify: {
        async value(notification: Parameters<typeof mcpReq.notify>[0]) {
          if (!isDetached) return mcpReq.notify(notification)
          const { message } = (notification.params ?? {}) as { message?: unknown }
          const isProgress = notification.method === 'notifications/progress'
          if (isProgress && typeof message === 'string') statusMessage = message
        },
      },
      log: {
        value: async (...message: Parameters<typeof mcpReq.log>) => {
          if (!isDetached) await mcpReq.log(...message)
        },
      },
      ...(answers && {
        inputResponses: { value: answers.responses },
        requestState: { value: () => answers.state },
      }),
    })
    return { ...context, mcpReq: request }
  }

  const outcome = makeRound(roundOf())
  return {
    outcome,
    detach(taskId) {
      isDetached = true
      mcpReq.signal.removeEventListener('abort', cancel)
      const createdAt = new Date().toISOString()
      let state: JsonObject = { status: 'working' }
      let lastUpdatedAt = createdAt
      let keptMs: number | null = null
      let onAnswers: ((responses: JsonObject) => void) | undefined
      let rounds = 0

      function change(next: JsonObject): void {
        state = next
        lastUpdatedAt = new Date().toISOString()
        if (hasEnded(next)) keptMs = Date.now() - Date.parse(createdAt) + KEPT_MS
      }

      /** Waits until all questions are answered. Keys are unique over all rounds. */
      async function answersTo(requests: JsonObject): Promise<JsonObject> {
        const round = ++rounds
        const open = new Map(
          Object.entries(requests).map(([key, request]) => [`${round}:${key}`, { key, request }]),
        )
        const responses: Record<string, unknown> = {}
        while (open.size > 0 && !cancelled.signal.aborted) {
          const questions = [...open].map(([id, { request }]) => [id, request])
          change({ status: 'input_required', inputRequests: Object.fromEntries(questions) })
          const given = await new Promise<JsonObject>((resolve) => {
            onAnswers = resolve
            cancelled.signal.addEventListener('abort', () => resolve({}), { once: true })
          })
          for (const [id, response] of Object.entries(given)) {
            const question = open.get(id)
            if (!question) continue
            responses[question.key] = response
            open.delete(id)
          }
        }
        onAnswers = undefined
        change({ status: 'working' })
        return responses
      }

      async function finish(): Promise<void> {
        try {
          let result = await outcome
          while (result.resultType === 'input_required' && isObject(result.inputRequests)) {
            const { inputRequests, requestState } = result as JsonObject & {
              inputRequests: JsonObject
            }
            const responses = await answersTo(inputRequests)
            // A parked call has to be continued to be cancelled.
            const isParked = String(requestState).startsWith(PARKED_PREFIX)
            if (cancelled.signal.aborted && !isParked) break
            result = await makeRound(roundOf({ responses, state: requestState }))
          }
          if (cancelled.signal.aborted) change({ status: 'cancelled' })
          // The server itself has answered with a task, under an id of the gateway.
          else if (isTask(result)) change({ status: 'working', instead: result.taskId })
          else change({ status: 'completed', result: { resultType: 'complete', ...result } })
        } catch (error) {
          const { code, data } = error as Partial<ProtocolError>
          const { message } = error as Error
          const answer = { code: error instanceof ProtocolError ? code : -32_603, message }
          if (cancelled.signal.aborted) change({ status: 'cancelled' })
          else {
            const failed = { ...answer, ...(data !== undefined && { data }) }
            change({ status: 'failed', statusMessage: message, error: failed })
          }
        }
      }

      const ended = finish()
      return {
        get state() {
          const message = statusMessage === undefined || hasEnded(state) ? {} : { statusMessage }
          const times = { createdAt, lastUpdatedAt, ttlMs: keptMs, pollIntervalMs: POLL_MS }
          return { taskId, ...times, ...message, ...state }
        },
        update: (responses) => onAnswers?.(responses),
        cancel,
        ended,
      }
    },
  }
}
