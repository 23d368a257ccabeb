import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { agentRequest } from './agent-request.ts'
import type { TaskWatch, WatchTasks } from './task-watch.ts'
import type { WatchResources } from './watch-resources.ts'

/** A `subscriptions/listen` request, with everything that it listens for on servers. */
export interface PreparedListen {
  /** The request for the SDK, which acknowledges all resources that it names, and does not know tasks. */
  readonly message: unknown
  /** Undefined if it names no tasks that servers report on. */
  readonly tasks: TaskWatch | undefined
  /** Call it when the stream ends. */
  stop(): void
}

/**
 * Prepares a request before the SDK opens its stream. Resolves to an error if it cannot be accepted.
 *
 * @param connection identifies the connection, where the protocol has one
 */
export type PrepareListen = (
  message: unknown,
  caller: Caller,
  connection?: string,
) => Promise<PreparedListen | { readonly error: JsonObject }>

export function createPrepareListen(
  watchTasks: WatchTasks,
  watchResources: WatchResources,
): PrepareListen {
  return async (message, caller, connection) => {
    const tasks = await watchTasks(message, caller, connection)
    if (tasks && 'error' in tasks) return tasks
    const uris = resourcesIn(message)
    const resources = uris && (await watchResources(uris, agentRequest(message, caller)))
    return {
      message: resources ? withResources(message as ListenMessage, resources.uris) : message,
      tasks: tasks && tasks.ids.length > 0 ? tasks : undefined,
      stop() {
        tasks?.stop()
        resources?.stop()
      },
    }
  }
}

type ListenMessage = JsonObject & {
  readonly params: JsonObject & { readonly notifications: JsonObject }
}

/** Undefined if the request names no resources. If they are invalid, the SDK rejects the request. */
function resourcesIn(message: unknown): string[] | undefined {
  const { params } = isObject(message) ? message : {}
  const { notifications } = isObject(params) ? params : {}
  const { resourceSubscriptions: uris } = isObject(notifications) ? notifications : {}
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : undefined
}

function withResources(
  { params, ...message }: ListenMessage,
  resourceSubscriptions: readonly string[],
): JsonObject {
  const notifications = { ...params.notifications, resourceSubscriptions }
  return { ...message, params: { ...params, notifications } }
}
