import { randomUUID } from 'node:crypto'
import type { Caller } from '../identity/caller.ts'
import type { CallTarget, GatewayView } from '../offering/gateway-view.ts'
import type { RunningTask } from '../offering/running-tasks.ts'
import { taskKey } from '../offering/task-records.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { hasEnded } from '../protocol/task-extension.ts'
import { createOwnedValues } from '../state/owned-values.ts'
import type { ReplicaCalls } from '../state/replica-calls.ts'
import { type DetachableCall, type DetachedCall, KEPT_MS } from './detached-call.ts'

/** Calls that take so long that the client gets a task, by which it can ask for the result later. */
export interface CallTasks {
  /** The result of a call, or a task if there is no result after some seconds. */
  resultOf(call: DetachableCall, options: LongCallOptions): Promise<JsonObject>
  /** Undefined if this caller has no such task, or may no longer use its tool. */
  find(id: string, request: { caller: Caller; view: GatewayView }): Promise<CallTask | undefined>
  /** The number of tasks whose calls run in this process. */
  readonly running: number
  /** Resolves when there are none. */
  settled(): Promise<void>
}

interface LongCallOptions {
  readonly caller: Caller
  readonly view: GatewayView
  readonly params: JsonObject
  readonly seconds: number
}

/** Such a task, or the id of the task with which the server has answered in the end. */
type CallTask = Omit<RunningTask, 'present'> | { readonly instead: string }

interface CallRecord {
  /** The replica that runs the call. */
  readonly replica?: string
  /** What the call was for, without its arguments. */
  readonly params: JsonObject
  readonly target: CallTarget
  /** The task after its end. */
  readonly state?: JsonObject
}

/** Longer than any call may take. */
const RUNNING_MS = 24 * 3_600_000
const MAX_CHARS = 50_000_000
const KIND = 'call-task'

/** @param replicas the other replicas, if there can be some. They find the tasks, too */
export function createCallTasks(replicas?: ReplicaCalls): CallTasks {
  const records = createOwnedValues(replicas?.state, { kind: KIND, capacity: MAX_CHARS })
  const running = new Map<string, DetachedCall>()
  const ending = new Set<Promise<void>>()

  /** Does something with a call of this process. */
  function act(id: string, method: string, responses: JsonObject = {}): JsonObject | undefined {
    const call = running.get(id)
    if (method === 'cancel') call?.cancel()
    if (method === 'update') call?.update(responses)
    return call?.state
  }

  replicas?.handle(KIND, async ({ id, method, responses }) => ({
    state: act(String(id), String(method), responses as JsonObject),
  }))

  async function ask(
    { replica }: CallRecord,
    id: string,
    method: string,
    responses?: JsonObject,
  ): Promise<JsonObject | undefined> {
    if (!replicas || replica === undefined || replica === replicas.id) {
      return act(id, method, responses)
    }
    const payload = { id, method, ...(responses && { responses }) }
    const answer = await replicas.call(replica, KIND, payload).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'replica_gone') return {}
      throw error
    })
    return (answer as { state?: JsonObject }).state
  }

  return {
    get running() {
      return ending.size
    },
    async settled() {
      while (ending.size > 0) await Promise.all(ending)
    },
    async resultOf(call, { caller, view, params, seconds }) {
      const target = view.targetOf(params)
      const isLong = await isPending(call.outcome, seconds * 1_000)
      // What the caller may not know has no target, and is answered at once.
      if (!isLong || !target) return call.outcome
      const id = randomUUID()
      const { name, arguments: args } = params as { name?: unknown; arguments?: JsonObject }
      const record: CallRecord = {
        ...(replicas && { replica: replicas.id }),
        params: { name, arguments: { name: args?.name } },
        target,
      }
      const key = taskKey(id, caller)
      const owner = caller.person.id
      // If it cannot be stored, nobody could ask for the task.
      const isStored = await records
        .set(key, JSON.stringify(record), { owner, ttlMs: RUNNING_MS })
        .then(
          () => true,
          () => false,
        )
      if (!isStored) return call.outcome
      const detached = call.detach(id)
      running.set(id, detached)
      const end = detached.ended.then(async () => {
        const ended = { ...record, state: detached.state }
        const ttlMs = hasEnded(ended.state) ? KEPT_MS : RUNNING_MS
        await records.set(key, JSON.stringify(ended), { owner, ttlMs }).catch(() => {})
        running.delete(id)
        ending.delete(end)
      })
      ending.add(end)
      return { ...detached.state, resultType: 'task' }
    },
    async find(id, { caller, view }) {
      const text = await records.get(taskKey(id, caller))
      if (text === undefined) return undefined
      const record = JSON.parse(text) as CallRecord
      await view.ready()
      const target = view.targetOf(record.params)
      const isSame = target?.kind === record.target.kind && target.server === record.target.server
      if (!isSame || target.name !== record.target.name) return undefined
      const current = record.state ?? (await ask(record, id, 'get')) ?? (await readAgain())
      if (typeof current.instead === 'string') return { instead: current.instead }
      const isOver = hasEnded(current)
      return {
        target,
        get: async () => current,
        async update(responses) {
          if (!isOver) await ask(record, id, 'update', responses)
        },
        async cancel() {
          if (!isOver) await ask(record, id, 'cancel')
        },
      }

      /** The call may have ended since the record was read, or its process has. */
      async function readAgain(): Promise<JsonObject> {
        const latest = await records.get(taskKey(id, caller))
        const ended = latest && (JSON.parse(latest) as CallRecord).state
        return ended || lostTask(id)
      }
    },
  }
}

function lostTask(taskId: string): JsonObject {
  const message =
    'The gateway process that ran the call has stopped. Call again if the call can be repeated.'
  const now = new Date().toISOString()
  const times = { createdAt: now, lastUpdatedAt: now, ttlMs: KEPT_MS }
  const error = { code: -32_603, message }
  return { taskId, ...times, status: 'failed', statusMessage: message, error }
}

/** Whether a promise has not settled after some time. */
async function isPending(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, true)
  })
  const settled = promise.then(
    () => false,
    () => false,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}
