import type { SpanContext } from '@opentelemetry/api'

/** W3C trace context, as it travels in `_meta` and in HTTP headers. */
export interface TraceFields {
  readonly traceparent: string
  readonly tracestate?: string
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const MAX_STATE = 512

/** Undefined if the fields contain no valid trace context. */
export function readTraceContext(
  fields: Readonly<Record<string, unknown>> | undefined,
): (Pick<SpanContext, 'traceId' | 'spanId' | 'traceFlags'> & { tracestate?: string }) | undefined {
  const { traceparent, tracestate } = fields ?? {}
  const parts = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null
  if (!parts) return undefined
  const [, version, traceId, spanId, flags, rest] = parts
  // Later versions may append fields; version ff is invalid.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined
  const hasState = typeof tracestate === 'string' && tracestate.length <= MAX_STATE
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & 1,
    ...(hasState && { tracestate }),
  }
}

export function writeTraceContext({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): TraceFields {
  const state = traceState?.serialize()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state && { tracestate: state }),
  }
}
