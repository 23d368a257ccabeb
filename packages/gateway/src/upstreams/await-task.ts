import { setTimeout as delay } from 'node:timers/promises'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { requestErrors } from '../protocol/request-errors.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { decline } from '../protocol/server-request.ts'
import { withTasks } from '../protocol/task-extension.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Upstream } from './upstream.ts'

export interface AwaitTaskOptions extends RequestOptions {
  /** How long the task may take in total. */
  readonly totalMs: number
}

type Server = Pick<Upstream, 'name' | 'request'>

const RELATED_TASK = 'io.modelcontextprotocol/related-task'
const POLL_MS = 1_000
const MIN_POLL_MS = 50
const MAX_POLL_MS = 10_000

/**
 * Waits for the result of a task (2026-07-28), for clients that do not know tasks. Questions of the task
 * are answered like those of a call. Cancels the task if the caller cancels, or if it takes too long.
 *
 * @param created the result of the call
 */
export async function awaitTask(
  server: Server,
  created: JsonObject,
  { totalMs, ...given }: AwaitTaskOptions,
): Promise<JsonObject> {
  const { taskId } = created
  const { signal: _, onProgress: __, ...rest } = given
  const options = { ...rest, envelope: withTasks(given.envelope) }
  const answered = new Set<string>()

  async function answer(requests: JsonObject): Promise<void> {
    const open = Object.entries(requests).filter(([key]) => !answered.has(key))
    for (const [key, request] of open) {
      answered.add(key)
      const { method, params } = request as { method: string; params?: JsonObject }
      const ask = given.onServerRequest ?? decline
      const response = await ask(method, params ?? {}, new AbortController().signal)
      await server.request('tasks/update', { taskId, inputResponses: { [key]: response } }, options)
    }
  }

  return poll(
    server,
    created,
    { totalMs, given },
    {
      read: () => server.request('tasks/get', { taskId }, options),
      cancel: () => server.request('tasks/cancel', { taskId }, options),
      async settle(task) {
        if (task.status === 'input_required' && isObject(task.inputRequests)) {
          await answer(task.inputRequests)
          return undefined
        }
        if (task.status === 'completed' && isObject(task.result)) return task.result
        if (task.status === 'failed')
          throw requestErrors(server.name).refused('tools/call', task.error)
        return isOpen(task) ? undefined : cancelledByServer(server)
      },
    },
  )
}

/** The same for a task of 2025-11-25, whose result is a request of its own. */
export async function awaitLegacyTask(
  server: Server,
  created: JsonObject,
  { totalMs, ...given }: AwaitTaskOptions,
): Promise<JsonObject> {
  const task = created.task as JsonObject
  const { taskId } = task
  const { signal: _, onProgress: __, ...options } = given
  return poll(
    server,
    task,
    { totalMs, given },
    {
      read: () => server.request('tasks/get', { taskId }, options),
      cancel: () => server.request('tasks/cancel', { taskId }, options),
      async settle(next) {
        if (next.status === 'working') return undefined
        if (next.status === 'cancelled') return cancelledByServer(server)
        // a task that requires input asks while its result is requested
        const waiting = { ...options, timeoutMs: totalMs }
        return withoutRelatedTask(await server.request('tasks/result', { taskId }, waiting))
      },
    },
  )
}

/** The client cannot ask for the task that the result names. */
function withoutRelatedTask({ _meta, ...result }: JsonObject): JsonObject {
  const { [RELATED_TASK]: _, ...meta } = isObject(_meta) ? _meta : {}
  return { ...result, ...(Object.keys(meta).length > 0 && { _meta: meta }) }
}

interface TaskMethods {
  read(): Promise<JsonObject>
  cancel(): Promise<unknown>
  /** The result of the call, or undefined while there is none. */
  settle(task: JsonObject): Promise<JsonObject | undefined>
}

async function poll(
  { name }: Server,
  created: JsonObject,
  { totalMs, given }: { readonly totalMs: number; readonly given: RequestOptions },
  { read, cancel, settle }: TaskMethods,
): Promise<JsonObject> {
  const errors = requestErrors(name)
  const deadline = Date.now() + totalMs
  let task = created
  let polls = 0
  try {
    for (;;) {
      const result = await settle(task)
      if (result) return result
      await pause(pollMs(task), given)
      if (given.signal?.aborted) throw errors.cancelled('tools/call')
      if (Date.now() > deadline) throw errors.timeout('tools/call', totalMs)
      task = await read()
      const { statusMessage: message } = task
      given.onProgress?.({ progress: ++polls, ...(typeof message === 'string' && { message }) })
    }
  } catch (error) {
    const { code } = error as Partial<UpstreamError>
    if (code === 'cancelled' || code === 'timeout') void cancel().catch(() => {})
    throw error
  }
}

function pollMs({ pollIntervalMs, pollInterval }: JsonObject): number {
  const wanted = pollIntervalMs ?? pollInterval
  return typeof wanted === 'number' ? Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, wanted)) : POLL_MS
}

/** Waits, but not after the caller has cancelled. */
async function pause(ms: number, { signal }: RequestOptions): Promise<void> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  if (signal?.aborted) return
  signal?.addEventListener('abort', stop, { once: true })
  await delay(ms, undefined, { signal: controller.signal }).catch(() => {})
  signal?.removeEventListener('abort', stop)
}

function isOpen({ status }: JsonObject): boolean {
  return status === 'working' || status === 'input_required'
}

function cancelledByServer({ name }: Server): never {
  throw new UpstreamError('refused', name, `${name} cancelled the task of this call.`, {
    answer: { code: -32603, message: 'The task was cancelled.' },
  })
}
