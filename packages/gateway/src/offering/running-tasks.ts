import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { withTasks } from '../protocol/task-extension.ts'
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
}

/**
 * Finds a task. Undefined if this caller has not started it, or may no longer use its tool: a task is as
 * hidden as the tool.
 */
export type FindTask = (id: string, options: CallOptions) => Promise<RunningTask | undefined>

export function createFindTask(
  { shared, tools, servers }: Pick<CallContext, 'shared' | 'tools' | 'servers'>,
  tasks: TaskRecords,
  presentResult: PresentResult,
): FindTask {
  return async (id, options) => {
    const record = await tasks.find(id, options.caller)
    if (!record) return undefined
    shared.indexAll()
    if (!tools.isComplete) await tools.session
    const origin = tools.origin(record.tool)
    const upstream = servers.upstreams.get(record.server)
    const isUsable = origin?.server === record.server && !shared.isWithheld(origin)
    if (!isUsable || !upstream) return undefined
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
    return {
      target: callTarget(origin),
      async get() {
        const { requestState: _, ...task } = await request('tasks/get')
        const result = isObject(task.result)
          ? { result: await presentResult(server, task.result, options, isDirect) }
          : {}
        return { ...task, ...result, taskId: id }
      },
      async update(inputResponses) {
        await request('tasks/update', { inputResponses })
      },
      async cancel() {
        await request('tasks/cancel')
      },
    }
  }
}
