import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
} from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { PreparedListen, PrepareListen } from './prepare-listen.ts'
import { connectionId } from './requesting-client.ts'
import type { Interceptor } from './stdio-transport.ts'

interface Listening {
  readonly prepared: PreparedListen
  readonly send: (message: JsonObject) => void
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** Prepares the streams of a client over stdio. The SDK opens them itself, without a handler. */
export function stdioListen(prepare: PrepareListen, caller: Caller): Required<Interceptor> {
  /** The ids of requests that the SDK does not know yet. */
  const entering = new Set<unknown>()
  const listening = new Map<unknown, Listening>()

  function stop(id: unknown): void {
    listening.get(id)?.prepared.stop()
    listening.delete(id)
  }

  function acknowledged(message: JsonObject & { params: JsonObject }): JSONRPCMessage | undefined {
    const { _meta, notifications } = message.params
    const id = isObject(_meta) ? _meta[SUBSCRIPTION_ID_META_KEY] : undefined
    const { prepared, send } = listening.get(id) ?? {}
    const tasks = prepared?.tasks
    if (!tasks || !send) return undefined
    tasks.start(send)
    const params = {
      ...message.params,
      notifications: { ...(notifications as JsonObject), taskIds: tasks.ids },
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
      const filter = isObject(params.notifications) ? params.notifications : {}
      if (!('taskIds' in filter || 'resourceSubscriptions' in filter)) return false
      entering.add(id)
      void prepare(message, caller, connectionId(undefined)).then((prepared) => {
        const isCancelled = !entering.delete(id)
        if ('error' in prepared) {
          if (!isCancelled) send({ jsonrpc: '2.0', id, error: prepared.error })
        } else if (isCancelled) prepared.stop()
        else {
          listening.set(id, { prepared, send })
          passOn(prepared.message)
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
