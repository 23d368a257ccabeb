import { isObject, type JsonObject } from '../../protocol/json-object.ts'

/**
 * The ids of requests that the gateway sends to a client name the replica that waits for the answer. The
 * SDK counts them for each server, so two replicas would use the same ids in one session.
 */
export function withReplica(message: JsonObject, replica: string): JsonObject {
  const { method, id, params } = message
  if (typeof method !== 'string') return message
  if (id !== undefined) return { ...message, id: `${replica}:${id}` }
  if (method !== 'notifications/cancelled' || !isObject(params)) return message
  return { ...message, params: { ...params, requestId: `${replica}:${params.requestId}` } }
}

/** The replica that waits for an answer, and the answer with the id that its SDK expects. */
export function replicaIn(
  message: unknown,
): { readonly replica: string; readonly answer: JsonObject } | undefined {
  if (!isObject(message) || message.method !== undefined || typeof message.id !== 'string') {
    return undefined
  }
  const separator = message.id.lastIndexOf(':')
  const id = Number(message.id.slice(separator + 1))
  if (separator < 0 || !Number.isSafeInteger(id)) return undefined
  return { replica: message.id.slice(0, separator), answer: { ...message, id } }
}
