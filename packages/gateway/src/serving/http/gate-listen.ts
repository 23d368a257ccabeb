import type { AuthInfo } from '@modelcontextprotocol/server'
import { callerOf } from '../../identity/caller.ts'
import { isObject } from '../../protocol/json-object.ts'
import { agentRequest } from '../agent-request.ts'
import { passGate } from '../pass-gate.ts'
import { isRefusal, refusedAnswer } from '../refused-error.ts'
import type { RequestGate } from '../request-gate.ts'

interface ListenMessage {
  readonly parsedBody: unknown
  readonly authInfo?: AuthInfo
}

/** Opens a stream of notifications inside a gate. The SDK opens streams itself, without a handler. */
export async function gateListen(
  gate: RequestGate | undefined,
  { parsedBody, authInfo }: ListenMessage,
  open: () => Promise<Response>,
): Promise<Response> {
  if (!gate) return open()
  const { id = null } = isObject(parsedBody) ? parsedBody : {}
  const request = agentRequest(parsedBody, callerOf(authInfo))
  let response: Response | undefined
  try {
    await passGate(gate, request, async () => {
      response = await open()
      if (!response.ok) throw new Error(`The stream was not opened (status ${response.status}).`)
      return {}
    })
  } catch (error) {
    // The end of a stream that nobody gets to see.
    if (isRefusal(error)) {
      await response?.body?.cancel()
      return Response.json({ jsonrpc: '2.0', id, error: refusedAnswer(error) })
    }
    if (!response) throw error
  }
  return response!
}
