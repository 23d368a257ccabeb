import { estimateTokens } from 'toolsearch'
import type { Person } from '../identity/person.ts'
import { failure } from '../offering/call-failure.ts'
import type { CallResult } from '../offering/large-results.ts'
import { decisionOn } from '../offering/visible-tools.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { ToolCallReport, ToolCallRequest, ToolLine } from './api.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { ConfirmationError, RequestError } from './read-request.ts'

/**
 * Calls a tool for the person at the page. The call is judged, limited and audited like a call of that
 * person's agent.
 *
 * @throws RequestError if the person may not call the tool
 * @throws ConfirmationError if the tool may change something and the call is not confirmed
 */
export async function callFromPage(
  target: Pick<InspectionTarget, 'runCall' | 'access' | 'gateway'>,
  { name, effect }: Pick<ToolLine, 'name' | 'effect'>,
  { arguments: given, confirm }: ToolCallRequest,
  { person, signal }: { readonly person: Person; readonly signal: AbortSignal },
): Promise<ToolCallReport> {
  checkAccess(target, name, person)
  if (effect !== 'read' && !confirm) throw new ConfirmationError(name, effect)
  const start = performance.now()
  const result = await runCall(target, { name, arguments: given }, { person, signal })
  const text = JSON.stringify(result.content ?? [])
  return {
    tool: name,
    result,
    milliseconds: performance.now() - start,
    size: text.length,
    tokens: estimateTokens(text),
  }
}

async function runCall(
  { runCall }: Pick<InspectionTarget, 'runCall'>,
  call: { readonly name: string; readonly arguments: ToolCallRequest['arguments'] },
  { person, signal }: { readonly person: Person; readonly signal: AbortSignal },
): Promise<CallResult> {
  try {
    return await runCall(call, { signal }, { caller: { person } })
  } catch (error) {
    if (error instanceof UpstreamError) return failure(error.message)
    throw error
  }
}

/** An agent would read that there is no such tool. The page shows the tool, so it says why. */
function checkAccess(
  { access, gateway }: Pick<InspectionTarget, 'access' | 'gateway'>,
  name: string,
  person: Person,
): void {
  const origin = gateway.origin(name)
  const decision = origin && decisionOn(access.rightsOf({ person }), origin)
  if (!decision || decision.isAllowed) return
  throw new RequestError(403, `You may see ${name} but not call it (${decision.reason}).`)
}
