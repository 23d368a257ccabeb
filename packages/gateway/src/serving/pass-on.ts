import type { Server, ServerContext } from '@modelcontextprotocol/server'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'
import { callerOf } from './caller.ts'
import type { ParkedCalls } from './parked-calls.ts'

/** Where a request came in. */
export interface Incoming {
  readonly server: Server
  readonly context: ServerContext
  /** What the client speaks. */
  readonly era: Era
  readonly params: JsonObject
}

/**
 * Carries out a request that a server may have questions about, and brings those to the client:
 * as requests in the older era, as a result that asks for another round in the newer one.
 *
 * Rejects as `run` does.
 */
export async function passOn(
  { server, context, era, params }: Incoming,
  parked: ParkedCalls,
  run: (params: JsonObject, options: RequestOptions) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { inputResponses, requestState } = context.mcpReq
  const caller = callerOf(server, context)
  const state = requestState()
  // a server of the newer era that asked by its result gets the answers with the next request
  const round = {
    ...params,
    ...(inputResponses && { inputResponses }),
    ...(state !== undefined && { requestState: state }),
  }
  try {
    if (era === 'legacy') {
      return await run(round, { ...caller.options, onServerRequest: caller.ask })
    }
    const resumed = parked.resume(caller, state, inputResponses ?? {})
    return await (resumed ?? parked.start(caller, (options) => run(round, options)))
  } finally {
    await caller.told()
  }
}
