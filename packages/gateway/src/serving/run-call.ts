import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Gateway } from '../offering/gateway.ts'
import type { CallOptions, GatewayClient } from '../offering/gateway-view.ts'
import type { CallResult } from '../offering/large-results.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'

/**
 * Runs a `tools/call` of one connection. Rejects with a server's error response if the client can
 * handle it.
 */
export type RunCall = (
  params: JsonObject,
  options: RequestOptions,
  clientInfo?: unknown,
) => Promise<CallResult>

export interface RunCallOptions extends Pick<CallOptions, 'onFound' | 'onResult'> {
  readonly era: Era
  /** Identifies the client by the `clientInfo` that came with the call, if any. */
  readonly client: (clientInfo: unknown) => GatewayClient | undefined
}

/** Every call passes through here, whether the SDK or the shortcut received it. */
export function createRunCall(
  gateway: Gateway,
  { era, client, onFound, onResult }: RunCallOptions,
): RunCall {
  // Legacy clients open the URL in such an error; the modern protocol does not have that error.
  const rejectsWith: CallOptions['rejectsWith'] = ({ code }, isDirect) =>
    code === ProtocolErrorCode.UrlElicitationRequired ? era === 'legacy' : isDirect

  return (params, options, clientInfo) =>
    gateway.callTool(params, {
      ...options,
      client: client(clientInfo),
      rejectsWith,
      ...(onFound && { onFound }),
      ...(onResult && { onResult }),
    })
}
