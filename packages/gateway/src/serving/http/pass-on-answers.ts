import { isObject, type JsonObject } from '../../protocol/json-object.ts'
import type { ReplicaCalls } from '../../state/replica-calls.ts'
import { replicaIn } from './replica-ids.ts'

export interface PassOnAnswersOptions {
  readonly replicas: ReplicaCalls
  readonly session: string
  /** The id of the person who has opened the session. */
  readonly person: string
  /** The client cancels a request that any replica may be running. */
  readonly onCancelled: (params: JsonObject) => void
}

/**
 * Passes the answers of a client on to the replicas that wait for them. Returns the messages that are left
 * for this replica, or undefined if there are none.
 */
export function passOnAnswers(
  body: unknown,
  { replicas, session, person, onCancelled }: PassOnAnswersOptions,
): unknown {
  const rest = (Array.isArray(body) ? body : [body]).flatMap((message: unknown) => {
    const answered = replicaIn(message)
    if (answered?.replica === replicas.id) return [answered.answer]
    if (answered && replicas.isReplica(answered.replica)) {
      const payload = { session, person, message: answered.answer }
      void replicas.call(answered.replica, 'answer', payload).catch(() => {})
      return []
    }
    if (isObject(message) && message.method === 'notifications/cancelled') {
      onCancelled(isObject(message.params) ? message.params : {})
    }
    return [message]
  })
  if (rest.length === 0) return undefined
  return Array.isArray(body) ? rest : rest[0]
}
