import { setTimeout as delay } from 'node:timers/promises'
import { isObject, type JsonObject, textOf } from '../protocol/json-object.ts'
import { hasEnded, TASK_CHANGED, withTasks } from '../protocol/task-extension.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { backOff } from './back-off.ts'
import type { Upstream } from './upstream.ts'
import { withTimeout } from './with-timeout.ts'

export interface ListenForTasksOptions {
  /** Aborting it ends the stream. */
  readonly signal: AbortSignal
  /** How long the server may take to acknowledge a stream. */
  readonly withinMs: number
  /** Receives the state of a task, as `tasks/get` returns it, after each change. Must not throw. */
  readonly onTask: (task: JsonObject) => void
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** The longest delay of a timer: streams have no timeout. */
const NEVER_MS = 2 ** 31 - 1

/**
 * Listens for changes to tasks on one server. Resolves to the tasks that the server reports on. Servers
 * need not report on any. Never rejects.
 *
 * A stream that breaks is opened again. Its tasks are then read once, because changes may have been
 * missed. The stream ends when all its tasks have ended.
 */
export async function listenForTasks(
  upstream: Pick<Upstream, 'name' | 'request'>,
  taskIds: readonly string[],
  { signal, withinMs, onTask }: ListenForTasksOptions,
): Promise<readonly string[]> {
  const done = new AbortController()
  const isOver = AbortSignal.any([signal, done.signal])
  const running = new Set(taskIds)
  const asClient = { own: true, envelope: withTasks() }

  function report({ _meta, ...task }: JsonObject): void {
    const taskId = textOf(task.taskId)
    if (isOver.aborted || !running.has(taskId)) return
    onTask(task)
    if (hasEnded(task)) running.delete(taskId)
    if (running.size === 0) done.abort()
  }

  /** Resolves when the server acknowledges the stream, to the tasks that it reports on. */
  async function open(onClosed: () => void): Promise<readonly string[]> {
    const failure = (why: string) => new UpstreamError('refused', upstream.name, why)
    const stream = new AbortController()
    let isOpen = false
    const acknowledged = new Promise<readonly string[]>((resolve, reject) => {
      const filter = { notifications: { taskIds: [...running] } }
      upstream
        .request('subscriptions/listen', filter, {
          ...asClient,
          signal: AbortSignal.any([isOver, stream.signal]),
          timeoutMs: NEVER_MS,
          onNotification(method, params) {
            if (method === TASK_CHANGED) report(params)
            if (method !== ACKNOWLEDGED) return
            const reported = reportedIn(params)
            for (const id of running) if (!reported.has(id)) running.delete(id)
            if (running.size === 0) done.abort()
            isOpen = true
            resolve([...running])
          },
        })
        .then(() => reject(failure('The server ended the stream.')), reject)
        .finally(() => {
          if (isOpen) onClosed()
        })
    })
    try {
      return await withTimeout(acknowledged, withinMs, () => failure('The server did not answer.'))
    } catch (error) {
      stream.abort()
      throw error
    }
  }

  async function reopen(): Promise<void> {
    for (let attempt = 1; !isOver.aborted; attempt++) {
      await delay(backOff(attempt), undefined, { signal: isOver, ref: false }).catch(() => {})
      if (isOver.aborted) return
      try {
        await open(reopen)
        break
      } catch {
        // The server may not be back yet.
      }
    }
    for (const taskId of running) {
      await upstream.request('tasks/get', { taskId }, asClient).then(report, () => {})
    }
  }

  try {
    return await open(reopen)
  } catch {
    done.abort()
    return []
  }
}

/** The tasks that an acknowledgement names. */
function reportedIn({ notifications }: JsonObject): ReadonlySet<unknown> {
  const { taskIds } = isObject(notifications) ? notifications : {}
  return new Set(Array.isArray(taskIds) ? taskIds : [])
}
