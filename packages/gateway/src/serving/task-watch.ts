import { CLIENT_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import type { GatewayClient, GatewayView } from '../offering/gateway-view.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import {
  CLIENT_CAPABILITIES,
  declaresTasks,
  hasEnded,
  MISSING_CAPABILITY,
  TASK_CHANGED,
  TASKS,
} from '../protocol/task-extension.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import { agentRequest } from './agent-request.ts'
import { joinGates } from './join-gates.ts'
import type { OutcomeReport } from './outcome-report.ts'
import { passGate, passPart } from './pass-gate.ts'
import type { RequestGate } from './request-gate.ts'
import { OWN_TASK } from './serve-tasks.ts'

/** The changes to tasks that a client listens for. */
export interface TaskWatch {
  /** The tasks whose changes the client gets, for the acknowledgement. */
  readonly ids: readonly string[]
  /** Sends a notification after each change, and first those that have happened since. Call it once. */
  start(send: (notification: JsonObject) => void): void
  stop(): void
}

/** Why a request to listen cannot be accepted. */
interface RefusedWatch {
  readonly error: JsonObject
}

/**
 * Watches the tasks that a `subscriptions/listen` request names. Resolves to undefined if it names none.
 *
 * @param connection identifies the connection, where the protocol has one
 */
export type WatchTasks = (
  message: unknown,
  caller: Caller,
  connection?: string,
) => Promise<TaskWatch | RefusedWatch | undefined>

export interface WatchTasksOptions {
  readonly viewOf: (caller: Caller) => GatewayView
  readonly client: (
    clientInfo: unknown,
    caller: Caller,
    connection?: string,
  ) => GatewayClient | undefined
  /** Receives the unmodified result of a server's tool. */
  readonly onResult: (server: string, result: JsonObject, caller: Caller) => void
  /** Surrounds each result that a client gets. */
  readonly gate?: RequestGate | undefined
}

/** Further tasks of a request are not acknowledged. */
const MAX_TASKS = 256
const INVALID_PARAMS = -32_602

export function createWatchTasks({
  viewOf,
  client,
  onResult,
  gate = joinGates([]),
}: WatchTasksOptions): WatchTasks {
  return async (message, caller, connection) => {
    const { id, params } = isObject(message) ? message : {}
    const { notifications, _meta } = isObject(params) ? params : {}
    const { taskIds } = isObject(notifications) ? notifications : {}
    if (taskIds === undefined) return undefined
    if (!Array.isArray(taskIds) || !taskIds.every((each) => typeof each === 'string')) {
      return refused(INVALID_PARAMS, 'taskIds must be a list of strings.')
    }
    const meta = isObject(_meta) ? _meta : {}
    if (!declaresTasks(meta[CLIENT_CAPABILITIES])) {
      const requiredCapabilities = { extensions: { [TASKS]: {} } }
      const why = `Listening for tasks requires the client capability ${TASKS}.`
      return refused(MISSING_CAPABILITY, why, { requiredCapabilities })
    }

    const stopped = new AbortController()
    const options = {
      caller,
      client: client(meta[CLIENT_INFO_META_KEY], caller, connection),
      onResult: (server: string, result: JsonObject) => onResult(server, result, caller),
    }
    const changes = createSerialQueue()
    let begin: (send: (notification: JsonObject) => void) => void
    const started = new Promise<(notification: JsonObject) => void>((resolve) => {
      begin = resolve
    })

    async function report(taskId: string, state: JsonObject): Promise<void> {
      const send = await started
      // Rights and rules may have changed since the last change of the task.
      const task = await viewOf(caller).tasks.find(taskId, options)
      if (!task || stopped.signal.aborted) return
      const present = (report?: OutcomeReport) => {
        report?.decided(task.target, OWN_TASK)
        return task.present(state)
      }
      const request = {
        caller,
        method: 'tasks/get',
        params: { taskId },
        target: task.target,
        at: Date.now(),
        client: options.client?.name,
      }
      // The client need not ask for a result that it gets here.
      const shown = await (hasEnded(state) ? passGate(gate, request, present) : present())
      if (stopped.signal.aborted) return
      const related = { ...shown, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } }
      send({ jsonrpc: '2.0', method: TASK_CHANGED, params: related })
    }

    /** Counts a task as if the client asked for it. */
    async function mayWatch(taskId: string): Promise<boolean> {
      const task = await viewOf(caller).tasks.find(taskId, options)
      if (!task) return false
      const part = { method: 'tasks/get', params: { taskId }, target: task.target }
      await passPart(gate, agentRequest(message, caller), part, async (report) => {
        report.decided(task.target, OWN_TASK)
        return {}
      })
      return true
    }

    const asked = [...new Set(taskIds)].slice(0, MAX_TASKS)
    const answers = await Promise.all(asked.map((taskId) => mayWatch(taskId).catch(() => false)))
    const watched = asked.filter((_, at) => answers[at])
    const ids = await viewOf(caller).tasks.watch(watched, options, {
      signal: stopped.signal,
      // The next state of the task, or `tasks/get`, makes up for one that cannot be sent.
      onTask: (taskId, state) => void changes.run(() => report(taskId, state)).catch(() => {}),
    })
    return { ids, start: (send) => begin(send), stop: () => stopped.abort() }
  }
}

function refused(code: number, message: string, data?: JsonObject): RefusedWatch {
  return { error: { code, message, ...(data && { data }) } }
}
