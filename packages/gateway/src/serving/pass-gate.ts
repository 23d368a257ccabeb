import { noteOf } from '../identity/request-note.ts'
import { type CancelSignal, endOf } from '../protocol/cancellation.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { createOutcomeReport, type OutcomeReport } from './outcome-report.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'

/** What a part of a request does. */
type RequestPart = Pick<AgentRequest, 'method' | 'params' | 'target' | 'findTarget'>

/**
 * Answers a request inside a gate. Rejects with a `RefusedError` if the gate refuses it.
 *
 * @param answer reports decisions and searches while it runs
 * @param signal aborted if the client cancels the request
 */
export async function passGate<Result extends JsonObject>(
  gate: RequestGate,
  request: AgentRequest,
  answer: (report: OutcomeReport) => Promise<Result>,
  signal?: CancelSignal,
): Promise<Result> {
  noteOf(request.caller).isRecorded = true
  const report = createOutcomeReport(signal)
  const answered = await gate(request, async () => {
    try {
      const result = await answer(report)
      return { result, outcome: report.outcomeOf({ result }), ends: endOf(signal) }
    } catch (error) {
      return { result: {}, error, outcome: report.outcomeOf({ error }), ends: endOf(signal) }
    }
  })
  if (answered.error !== undefined) throw answered.error
  return answered.result as Result
}

/** Answers a part of a request that is in the gate, as if it were a request of its own. */
export function passPart<Result extends JsonObject>(
  gate: RequestGate,
  { caller, client, session, script, trace }: AgentRequest,
  part: RequestPart,
  answer: (report: OutcomeReport) => Promise<Result>,
): Promise<Result> {
  const whole = { caller, client, session, script, trace }
  return passGate(gate, { ...whole, ...part, at: Date.now(), isPart: true }, answer)
}
