import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { logLevelOf, wantsLog } from '../offering/log-levels.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { AnswerServerRequest } from '../protocol/server-request.ts'
import { decline } from '../protocol/server-request.ts'
import { canAnswer } from './can-answer.ts'

/** Who made a request, as the servers that work on it need to know. */
export interface Caller {
  readonly capabilities: JsonObject
  /** For the request to a server, without what the server may ask. */
  readonly options: RequestOptions
  /** Asks the caller on the connection that the request came in; declines what it cannot answer. */
  readonly ask: AnswerServerRequest
  /** Settles when everything that was told meanwhile has left. */
  told(): Promise<void>
}

// a person may have to think
const PATIENCE_MS = 600_000

export function callerOf(server: Server, { mcpReq }: ServerContext): Caller {
  const token = mcpReq._meta?.progressToken
  const envelope = mcpReq.envelope as JsonObject | undefined
  // the older era sets its level once
  const level = envelope ? envelope[LOG_LEVEL_META_KEY] : (logLevelOf(server) ?? 'debug')
  const capabilities = clientCapabilities(server, mcpReq.envelope)
  let sending: Promise<unknown> | undefined
  const tell = (sent: Promise<void>) => {
    sending = Promise.all([sending, sent.catch(() => {})])
  }

  return {
    capabilities,
    options: {
      signal: mcpReq.signal,
      party: server,
      envelope: passedEnvelope(capabilities, level),
      ...(token !== undefined && {
        onProgress: (progress: JsonObject) => {
          const params = { ...progress, progressToken: token }
          tell(mcpReq.notify({ method: 'notifications/progress', params }))
        },
      }),
      onNotification(method, params) {
        if (method === 'notifications/message') {
          if (!wantsLog(server, params.level)) return
          tell(mcpReq.log(params.level as 'info', params.data, params.logger as string | undefined))
        } else tell(mcpReq.notify({ method, params }))
      },
    },
    async ask(method, params, signal) {
      if (!canAnswer(capabilities, method, params)) return decline(method, params, signal)
      const request = { method: method as 'elicitation/create', params }
      return (await mcpReq.send(request, { signal, timeout: PATIENCE_MS })) as unknown as JsonObject
    },
    async told() {
      if (!sending) return
      await sending
      // clients of the SDK drop progress that arrives in one piece with the result
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
}

function clientCapabilities(server: Server, envelope: JsonObject | undefined): JsonObject {
  const told = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  return (told ?? {}) as JsonObject
}

/** What a server of the newer era hears of the caller: only what passes through the gateway. */
export function passedEnvelope(
  { elicitation, sampling, roots }: JsonObject,
  level: unknown,
): JsonObject {
  return {
    [CLIENT_CAPABILITIES_META_KEY]: {
      ...(elicitation !== undefined && { elicitation }),
      ...(sampling !== undefined && { sampling }),
      ...(roots !== undefined && { roots }),
    },
    ...(level !== undefined && { [LOG_LEVEL_META_KEY]: level }),
  }
}
