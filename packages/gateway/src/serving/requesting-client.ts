import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf } from '../identity/caller.ts'
import { LOCAL_PERSON } from '../identity/person.ts'
import type { GatewayClient } from '../offering/gateway-view.ts'
import { logLevelOf, wantsLog } from '../offering/log-levels.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { type AnswerServerRequest, decline } from '../protocol/server-request.ts'

import { declaresTasks, TASKS } from '../protocol/task-extension.ts'

/** The client that sent a request, as needed to forward the request to a server. */
export interface RequestingClient {
  /** The id of the person who uses it. */
  readonly person: string
  readonly capabilities: JsonObject
  /** For the request to the server. Does not answer server requests: use `ask` for that. */
  readonly options: RequestOptions
  /** Forwards a server request to the client; declines it if the client does not support it. */
  readonly ask: AnswerServerRequest
  /** Resolves when all notifications of the request have been sent. */
  notificationsSent(): Promise<void>
}

/** Long, because a person may have to answer. */
const ANSWER_TIMEOUT_MS = 600_000

export function requestingClient(
  server: Server,
  { mcpReq, http }: ServerContext,
): RequestingClient {
  const token = mcpReq._meta?.progressToken
  const envelope = mcpReq.envelope as JsonObject | undefined
  // Modern clients send the level with each request, legacy clients set it once.
  const level = envelope ? envelope[LOG_LEVEL_META_KEY] : (logLevelOf(server) ?? 'debug')
  const capabilities = clientCapabilities(server, mcpReq.envelope)
  let sending: Promise<unknown> | undefined
  const track = (sent: Promise<void>) => {
    sending = Promise.all([sending, sent.catch(() => {})])
  }

  return {
    person: callerOf(http?.authInfo).person.id,
    capabilities,
    options: {
      signal: mcpReq.signal,
      clientConnection: server,
      envelope: forwardedEnvelope(capabilities, level),
      ...(token !== undefined && {
        onProgress: (progress: JsonObject) => {
          const params = { ...progress, progressToken: token }
          track(mcpReq.notify({ method: 'notifications/progress', params }))
        },
      }),
      onNotification(method, params) {
        if (method === 'notifications/message') {
          if (!wantsLog(server, params.level)) return
          track(
            mcpReq.log(params.level as 'info', params.data, params.logger as string | undefined),
          )
        } else track(mcpReq.notify({ method, params }))
      },
    },
    async ask(method, params, signal) {
      if (!canAnswer(capabilities, method, params)) return decline(method, params, signal)
      const request = { method: method as 'elicitation/create', params }
      const options = { signal, timeout: ANSWER_TIMEOUT_MS }
      return (await mcpReq.send(request, options)) as unknown as JsonObject
    },
    async notificationsSent() {
      if (!sending) return
      await sending
      // SDK clients drop progress notifications that arrive in the same chunk as the result.
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

function clientCapabilities(server: Server, envelope: JsonObject | undefined): JsonObject {
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  return (declared ?? {}) as JsonObject
}

/** The `_meta` fields that describe the client to modern servers: only what the gateway forwards. */
export function forwardedEnvelope(
  { elicitation, sampling, roots, ...capabilities }: JsonObject,
  level: unknown,
): JsonObject {
  return {
    [CLIENT_CAPABILITIES_META_KEY]: {
      ...(elicitation !== undefined && { elicitation }),
      ...(sampling !== undefined && { sampling }),
      ...(roots !== undefined && { roots }),
      ...(declaresTasks(capabilities) && { extensions: { [TASKS]: {} } }),
    },
    ...(level !== undefined && { [LOG_LEVEL_META_KEY]: level }),
  }
}

/** Whether a client with these capabilities can answer a server request. */
export function canAnswer(capabilities: JsonObject, method: string, params: JsonObject): boolean {
  if (method === 'sampling/createMessage') return capabilities.sampling !== undefined
  if (method === 'roots/list') return capabilities.roots !== undefined
  if (method !== 'elicitation/create') return false
  const modes = capabilities.elicitation as JsonObject | undefined
  if (modes === undefined) return false
  if (params.mode === 'url') return modes.url !== undefined
  // Clients that predate URL mode declare no modes and support forms.
  return modes.form !== undefined || Object.keys(modes).length === 0
}

/**
 * Identifies a client by its `clientInfo`, its caller and its connection.
 *
 * @param connection undefined where the protocol has no connections: then all clients of a person with
 * the same name and version count as one
 */
export function clientOf(
  info: unknown,
  { person }: Caller,
  connection?: string,
): GatewayClient | undefined {
  const { name, version } = isObject(info) ? info : {}
  const isLocal = person.id === LOCAL_PERSON.id
  if (connection === undefined && name === undefined && isLocal) return undefined
  const known = typeof name === 'string' ? name : 'unknown'
  const program = `${known} ${version}`
  const id = connection ?? (isLocal ? program : `${program} ${person.id}`)
  return { id, name: known, ...(!isLocal && { person: person.id }) }
}

/** Identifies a connection. Shortens the session id: the whole id would give access to the session. */
export function connectionId(session: string | undefined): string {
  return session === undefined ? 'stdio' : session.slice(0, 8)
}
