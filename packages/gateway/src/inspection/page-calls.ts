import { LOCAL_CALLER } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { RequestGate } from '../serving/request-gate.ts'
import { clientOf } from '../serving/requesting-client.ts'
import { createRunCall, type RunCall } from '../serving/run-call.ts'

/** How calls from the page appear in the activity and the audit log. */
const NAME = 'inspector'

/**
 * Runs calls from the page like those of an agent of the same person.
 *
 * @param gateway a gateway that records its calls
 * @param gate telemetry, audit and limits, if configured
 */
export function createPageCalls(gateway: Gateway, gate: RequestGate | undefined): RunCall {
  return createRunCall({
    era: 'modern',
    viewOf: (caller = LOCAL_CALLER) => ({ caller, view: gateway.view(caller) }),
    client: (_, caller) => clientOf({ name: NAME }, caller, `${NAME} ${caller.person.id}`),
    onResult() {},
    gate,
  })
}
