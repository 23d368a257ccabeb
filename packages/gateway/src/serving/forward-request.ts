import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { requestingClient } from './requesting-client.ts'

/** A request from a client, as an SDK handler receives it. */
export interface ClientRequest {
  readonly server: Server
  readonly context: ServerContext
  readonly era: Era
  readonly params: JsonObject
}

/**
 * Runs a request. If the server asks the client something meanwhile, forwards the question: to a
 * legacy client as a request, to a modern client as a result that asks for input.
 *
 * Rejects with ProtocolError if the server responds with an error.
 */
export async function forwardRequest(
  { server, context, era, params }: ClientRequest,
  parked: ParkedCalls,
  run: (params: JsonObject, options: RequestOptions) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { inputResponses, requestState } = context.mcpReq
  const client = requestingClient(server, context)
  const state = requestState()
  // A modern server that asked for input receives the answers with the next request.
  const round = {
    ...params,
    ...(inputResponses && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  }
  try {
    if (era === 'legacy') {
      return await withProtocolErrors(
        run(round, { ...client.options, onServerRequest: client.ask }),
      )
    }
    const resumed = parked.resume(client, state, inputResponses ?? {})
    return await withProtocolErrors(
      resumed ?? parked.start(client, (options) => run(round, options)),
    )
  } finally {
    await client.notificationsSent()
  }
}

/** Rejects with the server's own error response instead of an UpstreamError. */
export async function withProtocolErrors<T>(response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { answer } = error
    throw answer
      ? new ProtocolError(answer.code, answer.message, answer.data)
      : new ProtocolError(ProtocolErrorCode.InternalError, error.message)
  }
}
