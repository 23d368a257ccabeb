import { randomUUID } from 'node:crypto'
import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '../identity/caller.ts'
import type {
  CallOptions,
  CallTarget,
  GatewayClient,
  GatewayView,
} from '../offering/gateway-view.ts'
import type { CallResult } from '../offering/large-results.ts'
import { isScriptTool } from '../offering/meta-tools/script-tool-names.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'
import { passGate, passPart } from './pass-gate.ts'
import { isRefusal, refusedResult } from './refused-error.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'
import { traceOf } from './request-trace.ts'

/**
 * Runs a `tools/call` of one connection. Rejects with a server's error response if the client can
 * handle it.
 */
export type RunCall = (
  params: JsonObject,
  options: RequestOptions & Pick<CallOptions, 'script'>,
  sender?: CallSender,
) => Promise<CallResult>

/** Who sends a call. */
interface CallSender {
  /** @default the caller of the connection */
  readonly caller?: Caller | undefined
  /** The `clientInfo` that came with the call, if any. */
  readonly clientInfo?: unknown
}

export interface RunCallOptions extends Pick<CallOptions, 'onFound'> {
  readonly era: Era
  /** The caller of a call, and what they may use at this moment. */
  readonly viewOf: (caller: Caller | undefined) => {
    readonly caller: Caller
    readonly view: GatewayView
  }
  /** Identifies the client by the `clientInfo` that came with the call, if any. */
  readonly client: (clientInfo: unknown, caller: Caller) => GatewayClient | undefined
  /** The session of an older client. */
  readonly session?: () => string | undefined
  /** Receives the unmodified result of a server's tool. */
  readonly onResult: (server: string, result: JsonObject, caller: Caller) => void
  /** Surrounds each call. */
  readonly gate?: RequestGate | undefined
}

/** Every call passes through here, whether the SDK or the shortcut received it. */
export function createRunCall(options: RunCallOptions): RunCall {
  const { era, viewOf, client, session, onFound, onResult, gate } = options
  // Legacy clients open the URL in such an error; the modern protocol does not have that error.
  const rejectsWith: CallOptions['rejectsWith'] = ({ code }, isDirect) =>
    code === ProtocolErrorCode.UrlElicitationRequired ? era === 'legacy' : isDirect

  const runCall: RunCall = async (params, given, sender = {}) => {
    const { caller, view } = viewOf(sender.caller)
    const sentBy = client(sender.clientInfo, caller)
    const scriptId = isScriptTool(String(params.name)) ? randomUUID() : undefined
    const callOptions: CallOptions = {
      ...given,
      caller,
      client: sentBy,
      // A script reads errors as results.
      ...(!given.script && { rejectsWith }),
      scriptId,
      callInner: (inner, innerOptions) => runCall(inner, innerOptions, sender),
      ...(onFound && { onFound }),
      onResult: (server, result) => onResult(server, result, caller),
    }
    if (!gate) return view.callTool(params, callOptions)
    await view.ready()
    const request = {
      caller,
      method: 'tools/call',
      params,
      target: view.targetOf(params),
      at: Date.now(),
      client: sentBy?.name,
      session: session?.(),
      script: scriptOf(given.script?.id, scriptId),
      trace: traceOf(params),
    }
    const answered = passGate(
      gate,
      request,
      (report) =>
        view.callTool(params, {
          ...callOptions,
          onDecision: report.decided,
          onSearched: report.searched,
          onSent: report.sent,
          readInner: (target, read) => readInner(gate, request, { target, read }),
        }),
      given.signal,
    )
    return answered.catch((error: unknown) => {
      if (isRefusal(error)) return refusedResult(error)
      throw error
    })
  }
  return runCall
}

type ReadInner = Parameters<NonNullable<CallOptions['readInner']>>[1]

/** Reads a skill as a request of its own. Resolves to the reason if it is refused. */
async function readInner(
  gate: RequestGate,
  call: AgentRequest,
  { target, read }: { readonly target: CallTarget; readonly read: ReadInner },
): Promise<string | undefined> {
  const part = { method: 'skills/get', params: { uri: target.name }, target }
  try {
    await passPart(gate, call, part, async ({ sent }) => {
      await read(sent)
      return {}
    })
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error.message
    throw error
  }
}

function scriptOf(inner: string | undefined, own: string | undefined): AgentRequest['script'] {
  const id = inner ?? own
  return id === undefined ? undefined : { id: id.slice(0, 8), isInner: inner !== undefined }
}
