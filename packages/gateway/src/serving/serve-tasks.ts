import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import type { CallTarget, GatewayClient, GatewayView } from '../offering/gateway-view.ts'
import type { RunningTask } from '../offering/running-tasks.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { declaresTasks, TASKS } from '../protocol/task-extension.ts'
import type { CallTasks } from './call-tasks.ts'
import { withProtocolErrors } from './forward-request.ts'
import { reportOf } from './gate-requests.ts'
import { requestingClient } from './requesting-client.ts'

export interface ServeTasksOptions {
  readonly requestOf: (context: ServerContext) => {
    readonly caller: Caller
    readonly view: GatewayView
  }
  readonly client: (clientInfo: unknown, caller: Caller) => GatewayClient | undefined
  readonly callTasks: CallTasks
  /** Receives the unmodified result of a server's tool. */
  readonly onResult: (server: string, result: JsonObject, caller: Caller) => void
}

/** The decision about requests for a task. */
export const OWN_TASK = { isAllowed: true, reason: 'the call that started the task' } as const

/** The SDK requires a schema for methods of extensions. */
const PARAMS = {
  '~standard': {
    version: 1,
    vendor: 'toolsearch',
    validate: (value: unknown) =>
      isObject(value) && typeof value.taskId === 'string'
        ? { value }
        : { issues: [{ message: 'taskId must be a string.' }] },
  },
} as const

/** What the call that started a task was for. Undefined if this caller has no such task. */
export async function targetOfTask(
  id: string,
  { caller, view }: { readonly caller: Caller; readonly view: GatewayView },
  callTasks: CallTasks,
): Promise<CallTarget | undefined> {
  const long = await callTasks.find(id, { caller, view })
  if (long && !('instead' in long)) return long.target
  return (await view.tasks.find(long ? long.instead : id, { caller }))?.target
}

/** Handles the methods of the tasks extension (2026-07-28). */
export function serveTasks(
  server: Server,
  { requestOf, client, callTasks, onResult }: ServeTasksOptions,
): void {
  const handle = (
    method: 'tasks/get' | 'tasks/update' | 'tasks/cancel',
    act: (task: Omit<RunningTask, 'present'>, context: ServerContext) => Promise<JsonObject>,
  ) =>
    server.setRequestHandler(method, { params: PARAMS }, async (params, context) => {
      const { taskId } = params as { taskId: string }
      const { capabilities, options } = requestingClient(server, context)
      if (!declaresTasks(capabilities)) {
        const requiredCapabilities = { extensions: { [TASKS]: {} } }
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
      }
      const { caller, view } = requestOf(context)
      const long = await callTasks.find(taskId, { caller, view })
      const ofServer = async (id: string) => {
        const found = await view.tasks.find(id, {
          ...options,
          caller,
          client: client(undefined, caller),
          onResult: (from, result) => onResult(from, result, caller),
        })
        return found && { ...found, get: async () => ({ ...(await found.get()), taskId }) }
      }
      const task =
        long && !('instead' in long) ? long : await ofServer(long ? long.instead : taskId)
      if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task.')
      reportOf(context)?.decided(task.target, OWN_TASK)
      return withProtocolErrors(act(task, context)) as never
    })

  handle('tasks/get', (task) => task.get())
  handle('tasks/update', async (task, { mcpReq }) => {
    await task.update((mcpReq.inputResponses ?? {}) as JsonObject)
    return {}
  })
  handle('tasks/cancel', async (task) => {
    await task.cancel()
    return {}
  })
}
