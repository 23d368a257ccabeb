import { randomUUID } from 'node:crypto'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { JsonObject } from '../protocol/json-object.ts'
import { decline } from '../protocol/server-request.ts'
import { type ErrorAnswer, UpstreamError } from '../protocol/upstream-error.ts'
import type { ReplicaCalls } from '../state/replica-calls.ts'
import { createParkedCalls, PARKED_PREFIX, type ParkedCalls } from './parked-calls.ts'
import type { RequestingClient } from './requesting-client.ts'

const GONE =
  'The call is no longer waiting for an answer: it took too long, or the gateway process that ran it has stopped. Call again if the call can be repeated.'

/** Parked calls that can be continued through any replica: the one that holds a call continues it. */
export function createSharedParkedCalls(
  replicas: ReplicaCalls,
  options: { readonly timeoutMs?: number } = {},
): ParkedCalls {
  // The state that a client sends back names the replica that holds the call.
  const newId = () => `${replicas.id}/${randomUUID()}`
  const local = createParkedCalls({ ...options, newId })

  replicas.handle('parked', async (payload, { signal, emit }) => {
    const { person, capabilities, state, responses } = payload as unknown as ForwardedAnswer
    const client: RequestingClient = {
      person,
      capabilities,
      options: {
        signal,
        onProgress: (progress) => emit({ progress }),
        onNotification: (method, params) => emit({ method, params }),
      },
      ask: decline,
      notificationsSent: async () => {},
    }
    try {
      const result = await local.resume(client, state, responses)
      return result ? { result } : {}
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      const { code, server, message, answer } = error
      return { error: { code, server, message, answer } }
    }
  })

  async function forward(
    replica: string,
    { person, capabilities, options }: RequestingClient,
    answer: Pick<ForwardedAnswer, 'state' | 'responses'>,
  ): Promise<JsonObject> {
    const payload: ForwardedAnswer = { person, capabilities, ...answer }
    const { result, error } = await replicas
      .call(
        replica,
        'parked',
        { ...payload },
        {
          signal: options.signal,
          onEvent({ progress, method, params }) {
            if (progress) options.onProgress?.(progress as JsonObject)
            else options.onNotification?.(String(method), params as JsonObject)
          },
        },
      )
      .catch((reason: unknown) => {
        throw (reason as { code?: unknown }).code === 'replica_gone' ? gone() : reason
      })
    if (error) throw upstreamError(error as JsonObject)
    if (!result) throw gone()
    return result as JsonObject
  }

  return {
    start: local.start,
    resume(client, state, responses) {
      const resumed = local.resume(client, state, responses)
      if (resumed) return resumed
      const replica = replicaIn(state)
      // Not a state of this gateway: a server that is itself a gateway may have sent it.
      if (replica === undefined || !replicas.isReplica(replica)) return undefined
      // The call has run, so it must not run again.
      if (replica === replicas.id) return Promise.reject(gone())
      return forward(replica, client, { state: String(state), responses })
    },
  }
}

interface ForwardedAnswer {
  readonly person: string
  readonly capabilities: JsonObject
  readonly state: string
  readonly responses: JsonObject
}

function replicaIn(state: unknown): string | undefined {
  if (typeof state !== 'string' || !state.startsWith(PARKED_PREFIX)) return undefined
  return state.slice(PARKED_PREFIX.length).split('/', 1)[0]
}

function gone(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, GONE)
}

function upstreamError({ code, server, message, answer }: JsonObject): UpstreamError {
  return new UpstreamError(code as 'refused', String(server), String(message), {
    ...(answer !== undefined && { answer: answer as ErrorAnswer }),
  })
}
