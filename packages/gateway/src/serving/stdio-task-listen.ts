import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import { connectionId } from './requesting-client.ts'
import type { Interceptor } from './stdio-transport.ts'
import type { TaskWatch, WatchTasks } from './task-watch.ts'

interface Listening {
  readonly watch: TaskWatch
  readonly send: (message: JsonObject) => void
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** Lets a client listen for tasks over stdio. The SDK opens the stream, and does not know tasks. */
export function stdioTaskListen(watchTasks: WatchTasks, caller: Caller): Required<Interceptor> {
  /** The ids of requests that the SDK does not know yet. */
  const entering = new Set<unknown>()
  const listening = new Map<unknown, Listening>()

  function stop(id: unknown): void {
    listening.get(id)?.watch.stop()
    listening.delete(id)
  }

  function acknowledged(message: JsonObject & { params: JsonObject }): JSONRPCMessage | undefined {
    const { _meta, notifications } = message.params
    const id = isObject(_meta) ? _meta[SUBSCRIPTION_ID_META_KEY] : undefined
    const found = listening.get(id)
    if (!found) return undefined
    const { watch, send } = found
    watch.start(send)
    const params = {
      ...message.params,
      notifications: { ...(notifications as JsonObject), taskIds: watch.ids },
    }
    return { ...message, params } as unknown as JSONRPCMessage
  }

  return {
    intercept(message, { send, passOn }) {
      if (!isObject(message)) return false
      const { id, method } = message
      const params = isObject(message.params) ? message.params : {}
      if (method === 'notifications/cancelled') {
        stop(params.requestId)
        return entering.delete(params.requestId)
      }
      const isModern = isObject(params._meta) && PROTOCOL_VERSION_META_KEY in params._meta
      if (method !== 'subscriptions/listen' || id === undefined || !isModern) return false
      if (!isObject(params.notifications) || !('taskIds' in params.notifications)) return false
      entering.add(id)
      void watchTasks(message, caller, connectionId(undefined)).then((watch) => {
        const isCancelled = !entering.delete(id)
        if (watch && 'error' in watch) {
          if (!isCancelled) send({ jsonrpc: '2.0', id, error: watch.error })
        } else if (isCancelled) watch?.stop()
        else {
          if (watch && watch.ids.length > 0) listening.set(id, { watch, send })
          passOn()
        }
      })
      return true
    },
    sending(message) {
      if (!('method' in message)) stop(message.id)
      else if (message.method === ACKNOWLEDGED) return acknowledged(message as never) ?? message
      return message
    },
    closed() {
      for (const id of [...listening.keys()]) stop(id)
    },
  }
}
