import { isObject, type JsonObject, textOf } from '../protocol/json-object.ts'
import { withTasks } from '../protocol/task-extension.ts'
import { listenForTasks } from '../upstreams/listen-for-tasks.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { CallOptions, CallTarget } from './gateway-view.ts'
import type { CallContext } from './meta-tools/meta-tool.ts'
import type { PresentResult } from './present-result.ts'
import { callTarget } from './run-tool.ts'
import type { TaskRecords } from './task-records.ts'

/** A task that a server runs for the caller. Methods reject with UpstreamError. */
export interface RunningTask {
  readonly target: CallTarget
  /** Its current state, with the result once it has one. */
  get(): Promise<JsonObject>
  /** Answers its questions. */
  update(inputResponses: JsonObject): Promise<void>
  cancel(): Promise<void>
  /** A state that the server reports, as `get` would return it. */
  present(task: JsonObject): Promise<JsonObject>
}

/**
 * Finds a task. Undefined if this caller has not started it, or may no longer use its tool: a task is as
 * hidden as the tool.
 */
type FindTask = (id: string, options: CallOptions) => Promise<RunningTask | undefined>

/**
 * Listens for changes to tasks. Resolves to those whose changes are reported, which are never tasks that
 * the caller cannot find. Never rejects.
 */
type WatchTasks = (
  ids: readonly string[],
  options: CallOptions,
  watcher: TaskWatcher,
) => Promise<readonly string[]>

interface TaskWatcher {
  /** Aborting it stops the watch. */
  readonly signal: AbortSignal
  /**
   * Receives a state as the server sends it. The caller may have lost the tool meanwhile: find the task
   * again, and pass the state to `present`. Must not throw.
   */
  readonly onTask: (id: string, task: JsonObject) => void
}

type RunningTasksContext = Pick<CallContext, 'shared' | 'tools' | 'servers'>

/** How long a server may take to acknowledge that it reports on tasks. The client waits meanwhile. */
const ACKNOWLEDGE_MS = 10_000

export interface RunningTasks {
  readonly find: FindTask
  readonly watch: WatchTasks
}

/** The tasks of the callers of one view. */
export function createRunningTasks(
  { shared, tools, servers }: RunningTasksContext,
  tasks: TaskRecords,
  presentResult: PresentResult,
): RunningTasks {
  async function locate(id: string, { caller }: CallOptions) {
    const record = await tasks.find(id, caller)
    if (!record) return undefined
    await shared.indexed()
    if (!tools.isComplete) await tools.session
    const origin = tools.origin(record.tool)
    const upstream = servers.upstreams.get(record.server)
    const isUsable = origin?.server === record.server && !shared.isWithheld(origin)
    return isUsable && upstream ? { record, origin, upstream } : undefined
  }

  const find: FindTask = async (id, options) => {
    const located = await locate(id, options)
    if (!located) return undefined
    const { record, origin, upstream } = located
    const { server, task: taskId, isDirect } = record
    const request = (method: string, params: JsonObject = {}) =>
      upstream.request(
        method,
        { taskId, ...params },
        {
          ...options,
          envelope: withTasks(options.envelope),
        },
      )
    const present: RunningTask['present'] = async ({ requestState: _, ...task }) => {
      const result = isObject(task.result)
        ? { result: await presentResult(server, task.result, options, isDirect) }
        : {}
      return { ...task, ...result, taskId: id }
    }
    return {
      target: callTarget(origin),
      present,
      get: async () => present(await request('tasks/get')),
      async update(inputResponses) {
        await request('tasks/update', { inputResponses })
      },
      async cancel() {
        await request('tasks/cancel')
      },
    }
  }

  const watch: WatchTasks = async (ids, options, { signal, onTask }) => {
    /** The ids of tasks on each server, with ours. */
    const byServer = new Map<Upstream, Map<string, string>>()
    for (const id of new Set(ids)) {
      const located = await locate(id, options)
      if (!located) continue
      const known = byServer.get(located.upstream) ?? new Map<string, string>()
      byServer.set(located.upstream, known.set(located.record.task, id))
    }
    const reported = await Promise.all(
      [...byServer].map(async ([upstream, known]) => {
        const taskIds = await listenForTasks(upstream, [...known.keys()], {
          signal,
          withinMs: ACKNOWLEDGE_MS,
          onTask: (task) => onTask(known.get(textOf(task.taskId))!, task),
        })
        return taskIds.map((taskId) => known.get(taskId)!)
      }),
    )
    return reported.flat()
  }

  return { find, watch }
}
