import type { RequestGate } from './request-gate.ts'

/** Puts gates into each other, the first one outside. Without gates, requests pass as they are. */
export function joinGates(gates: readonly RequestGate[]): RequestGate {
  return gates.reduceRight<RequestGate>(
    (inner, gate) => (request, next) => gate(request, () => inner(request, next)),
    (_request, next) => next(),
  )
}
