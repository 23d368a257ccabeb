import type { Decision } from '../access/rights.ts'
import type { CancelSignal } from '../protocol/cancellation.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { GatedAnswer, RequestTarget } from './request-gate.ts'

type Outcome = GatedAnswer['outcome']

/** Collects what the gates need to know about a request while it is being answered. */
export interface OutcomeReport {
  decided(target: RequestTarget, decision: Decision): void
  searched(searches: NonNullable<Outcome['searches']>): void
  /** A server gets a request. Need not be called if there is only one. */
  sent(): void
  /** What is known at the end. */
  outcomeOf(end: { readonly result: JsonObject } | { readonly error: unknown }): Outcome
}

/** @param signal aborted if the client cancels the request */
export function createOutcomeReport(signal?: CancelSignal): OutcomeReport {
  let decision: (Decision & { readonly target: RequestTarget }) | undefined
  let searches: Outcome['searches']
  let sent = 0

  return {
    decided(target, next) {
      // A refusal matters most, and there can be several decisions in one request.
      if (decision?.isAllowed !== false) decision = { ...next, target }
    },
    searched(found) {
      searches = found
    },
    sent() {
      sent += 1
    },
    outcomeOf(end) {
      const failure = 'error' in end ? messageOf(end.error) : failureIn(end.result)
      return {
        outcome: outcomeName(failure !== undefined),
        resultBytes: 'result' in end ? Buffer.byteLength(JSON.stringify(end.result)) : 0,
        ...(decision && { target: decision.target, reason: decision.reason }),
        ...(searches && { searches }),
        ...(sent > 1 && { sent }),
        ...(failure !== undefined && { error: failure }),
      }
    },
  }

  function outcomeName(hasFailed: boolean): Outcome['outcome'] {
    if (decision?.isAllowed === false) return 'denied'
    if (!hasFailed) return 'ok'
    return signal?.aborted ? 'cancelled' : 'failed'
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The text of a result with `isError`. */
function failureIn({ isError, content }: JsonObject): string | undefined {
  if (isError !== true) return undefined
  const texts = (Array.isArray(content) ? content : []).map((block) => (block as JsonObject)?.text)
  return texts.filter((text) => typeof text === 'string').join('\n')
}
