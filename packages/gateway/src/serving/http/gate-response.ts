import type { Caller } from '../../identity/caller.ts'
import { isObject } from '../../protocol/json-object.ts'
import { agentRequest } from '../agent-request.ts'
import { passGate } from '../pass-gate.ts'
import { isRefusal, refusedAnswer } from '../refused-error.ts'
import type { RequestGate } from '../request-gate.ts'

/** Answers a message inside a gate, if the SDK answers it itself, without a handler: it opens streams and ends sessions. */
export async function gateResponse(
  gate: RequestGate | undefined,
  message: unknown,
  caller: Caller,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (!gate) return answer()
  const { id = null } = isObject(message) ? message : {}
  let response: Response | undefined
  try {
    await passGate(gate, agentRequest(message, caller), async () => {
      response = await answer()
      if (!response.ok) throw new Error(`It was not accepted (status ${response.status}).`)
      return {}
    })
  } catch (error) {
    // A stream that nobody gets to see.
    if (isRefusal(error)) {
      await response?.body?.cancel()
      // Only who sends a request looks at more than the status.
      const status = id === null ? 503 : 200
      return Response.json({ jsonrpc: '2.0', id, error: refusedAnswer(error) }, { status })
    }
    if (!response) throw error
  }
  return response!
}
