import { AsyncLocalStorage } from 'node:async_hooks'
import type * as Api from '@opentelemetry/api'
import type { Attributes, Context, Meter, Span, Tracer } from '@opentelemetry/api'
import { isRefusal } from '../serving/refused-error.ts'
import type {
  AgentRequest,
  GatedAnswer,
  RequestGate,
  RequestTarget,
} from '../serving/request-gate.ts'
import type { AroundRequest, OutgoingRequest } from '../upstreams/around-request.ts'
import { ATTRIBUTES as A, DURATION_BUCKETS, METRICS } from './attribute-names.ts'
import { errorTypeOf, knownMethod } from './error-type.ts'
import { readTraceContext, writeTraceContext } from './trace-context.ts'

/** Traces and metrics of requests. */
export interface RequestTelemetry {
  /** Surrounds the requests of agents. */
  readonly gate: RequestGate
  /** Surrounds requests to servers. */
  readonly aroundRequest: AroundRequest
  /** Reports numbers that are read when metrics are collected. */
  observe(readings: Readings): void
}

interface Readings {
  /** The number of open sessions. */
  readonly sessions?: () => number
  /** The state of each server. */
  readonly servers?: () => Iterable<string>
  /** Whether each store can be reached, by name. Must not reject. */
  readonly stores?: Readonly<Record<string, () => Promise<boolean>>>
  /** Of the audit log, since the start. */
  readonly audit?: () => {
    readonly waiting: number
    readonly lost: number
    readonly failures: number
  }
}

export interface RequestTelemetryOptions {
  readonly api: typeof Api
  readonly tracer: Tracer
  readonly meter: Meter
}

// A storage of our own: the context manager of OpenTelemetry belongs to the program that embeds us. One for
// all gateways of a process: Node 20 never forgets a storage, and each one slows down every promise.
const current = new AsyncLocalStorage<{ tracer: Tracer; context: Context }>()

/**
 * Measures requests. Metrics have no labels that agents or people can choose: no ids of people, sessions
 * or clients, no arguments, no resources. Spans have no ids of people, arguments or results either,
 * because they often leave the company.
 */
export function createRequestTelemetry({
  api,
  tracer,
  meter,
}: RequestTelemetryOptions): RequestTelemetry {
  const { SpanKind, SpanStatusCode, trace, context, createTraceState } = api
  const runIn = <T>(inner: Context, run: () => T): T => current.run({ tracer, context: inner }, run)
  const currentContext = () => {
    const store = current.getStore()
    return store?.tracer === tracer ? store.context : undefined
  }
  const durationOptions = { unit: 's', advice: { explicitBucketBoundaries: DURATION_BUCKETS } }
  const serverDuration = meter.createHistogram(METRICS.serverDuration, {
    ...durationOptions,
    description: 'Duration of requests of agents to the gateway.',
  })
  const clientDuration = meter.createHistogram(METRICS.clientDuration, {
    ...durationOptions,
    description: 'Duration of requests of the gateway to servers.',
  })
  const searches = meter.createCounter(METRICS.searches, {
    description: 'Searches for tools, by whether they found any.',
  })
  const refused = meter.createCounter(METRICS.refused, {
    description: 'Requests that a rule or a limit has refused.',
  })

  function parentOf({ trace: fields, params }: AgentRequest): Context {
    const active = context.active()
    const remote =
      readTraceContext(params._meta as Record<string, unknown> | undefined) ??
      readTraceContext(fields)
    if (!remote) return active
    const { tracestate, ...ids } = remote
    return trace.setSpanContext(active, {
      ...ids,
      isRemote: true,
      ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
    })
  }

  function finish(span: Span, attributes: Attributes, error?: { type: string; message?: string }) {
    span.setAttributes(attributes)
    if (error) {
      span.setAttribute(A.errorType, error.type)
      span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(error.message !== undefined && { message: error.message }),
      })
    }
    span.end()
  }

  function count({ outcome }: GatedAnswer): void {
    for (const { hits } of outcome.searches ?? []) {
      searches.add(1, { [A.searchResult]: hits.length > 0 ? 'hit' : 'miss' })
    }
    if (outcome.outcome === 'denied' || outcome.outcome === 'limited') {
      refused.add(1, { [A.outcome]: outcome.outcome })
    }
  }

  const gate: RequestGate = async (request, next) => {
    const method = knownMethod(request.method)
    // A call of a script belongs to the call that runs the script.
    const outer = request.script?.isInner ? currentContext() : undefined
    const parent = outer ?? parentOf(request)
    const span = tracer.startSpan(
      nameOf(method, request.target),
      { kind: SpanKind.SERVER, attributes: { [A.method]: method, ...contextOf(request) } },
      parent,
    )
    const start = performance.now()
    const measure = (labels: Attributes) =>
      serverDuration.record((performance.now() - start) / 1_000, { [A.method]: method, ...labels })
    try {
      const answer = await runIn(trace.setSpan(parent, span), next)
      const { outcome, target = request.target, resultBytes, reason } = answer.outcome
      count(answer)
      const labels = outcome === 'denied' ? {} : targetLabels(method, target)
      const type = failureType(answer)
      measure({ ...labels, ...(type && { [A.errorType]: type }) })
      span.updateName(nameOf(method, target))
      finish(
        span,
        {
          ...targetLabels(method, target),
          ...(target?.kind === 'resource' && { [A.resource]: target.name }),
          [A.outcome]: outcome,
          [A.resultBytes]: resultBytes,
          ...(reason !== undefined && { [A.reason]: reason }),
          ...(isStatus(type) && { [A.status]: type }),
        },
        type === undefined ? undefined : { type },
      )
      return answer
    } catch (error) {
      const type = errorTypeOf(error)
      const isRefused = isRefusal(error)
      if (isRefused) refused.add(1, { [A.outcome]: error.outcome })
      const labels = targetLabels(method, request.target)
      measure({ ...labels, [A.errorType]: type })
      finish(
        span,
        {
          ...labels,
          [A.outcome]: isRefused ? error.outcome : 'failed',
          ...(isRefused && { [A.reason]: error.reason }),
          ...(isStatus(type) && { [A.status]: type }),
        },
        { type },
      )
      throw error
    }
  }

  const aroundRequest: AroundRequest = async (request, send) => {
    const { server } = request
    const method = knownMethod(request.method)
    const parent = currentContext() ?? context.active()
    const target = outgoingTarget(request)
    const labels = { [A.server]: server, ...targetLabels(method, target) }
    const span = tracer.startSpan(
      nameOf(method, target),
      { kind: SpanKind.CLIENT, attributes: { [A.method]: method, ...labels } },
      parent,
    )
    const spanContext = span.spanContext()
    const start = performance.now()
    const measure = (extra: Attributes) =>
      clientDuration.record((performance.now() - start) / 1_000, {
        [A.method]: method,
        ...labels,
        ...extra,
      })
    try {
      // Without a tracer, the context of the agent is passed on unchanged.
      const isValid = api.isSpanContextValid(spanContext)
      const result = await runIn(trace.setSpan(parent, span), () =>
        send(isValid ? { ...writeTraceContext(spanContext) } : undefined),
      )
      const type = result.isError === true ? 'tool_error' : undefined
      measure(type ? { [A.errorType]: type } : {})
      finish(span, {}, type ? { type } : undefined)
      return result
    } catch (error) {
      const type = errorTypeOf(error)
      measure({ [A.errorType]: type })
      finish(span, isStatus(type) ? { [A.status]: type } : {}, { type })
      throw error
    }
  }

  return {
    gate,
    aroundRequest,
    observe({ sessions, servers, stores = {}, audit }) {
      const named = Object.entries(stores)
      if (named.length > 0) {
        const gauge = meter.createObservableGauge(METRICS.stores, {
          description: 'Whether a store can be reached: 1 or 0.',
        })
        gauge.addCallback(async (result) => {
          const observeStore = async ([name, isAvailable]: (typeof named)[number]) =>
            result.observe(Number(await isAvailable()), { [A.store]: name })
          await Promise.all(named.map(observeStore))
        })
      }
      if (audit) observeAudit(meter, audit)
      if (sessions) {
        const gauge = meter.createObservableGauge(METRICS.sessions, {
          description: 'Open sessions of agents.',
        })
        gauge.addCallback((result) => result.observe(sessions()))
      }
      if (!servers) return
      const gauge = meter.createObservableGauge(METRICS.servers, {
        description: 'Servers behind the gateway, by their state.',
      })
      gauge.addCallback((result) => {
        const counts = new Map<string, number>()
        for (const state of servers()) counts.set(state, (counts.get(state) ?? 0) + 1)
        for (const [state, number] of counts) result.observe(number, { [A.serverState]: state })
      })
    },
  }
}

function observeAudit(meter: Meter, counts: NonNullable<Readings['audit']>): void {
  const waiting = meter.createObservableGauge(METRICS.auditWaiting, {
    description: 'Audit entries that are not stored yet.',
  })
  const lost = meter.createObservableCounter(METRICS.auditLost, {
    description: 'Audit entries that were dropped because too many waited.',
  })
  const failures = meter.createObservableCounter(METRICS.auditFailures, {
    description: 'Failed attempts to store audit entries.',
  })
  waiting.addCallback((result) => result.observe(counts().waiting))
  lost.addCallback((result) => result.observe(counts().lost))
  failures.addCallback((result) => result.observe(counts().failures))
}

function failureType({ outcome: { outcome }, error }: GatedAnswer): string | undefined {
  if (outcome === 'ok') return undefined
  if (outcome !== 'failed') return outcome
  return error === undefined ? 'tool_error' : errorTypeOf(error)
}

/** Whether an error is a code of JSON-RPC. */
function isStatus(type: string | undefined): type is string {
  return type !== undefined && /^-?\d+$/.test(type)
}

/** @example nameOf('tools/call', { kind: 'tool', name: 'echo' }) // 'tools/call echo' */
function nameOf(method: string, target: RequestTarget | undefined): string {
  return target && target.kind !== 'resource' ? `${method} ${target.name}` : method
}

function targetLabels(method: string, target: RequestTarget | undefined): Attributes {
  if (!target) return {}
  return {
    ...(target.server !== undefined && { [A.server]: target.server }),
    ...(target.kind === 'prompt' && { [A.prompt]: target.name }),
    ...((target.kind === 'tool' || target.kind === 'meta') && { [A.tool]: target.name }),
    ...(method === 'tools/call' && { [A.operation]: 'execute_tool' }),
  }
}

function contextOf({ caller, client, session }: AgentRequest): Attributes {
  return {
    // The whole id would give access to the session.
    ...(session !== undefined && { [A.session]: session.slice(0, 8) }),
    ...(client !== undefined && { [A.client]: client.slice(0, 100) }),
    ...(caller.profile !== undefined && { [A.profile]: caller.profile }),
  }
}

function outgoingTarget({ server, method, params }: OutgoingRequest): RequestTarget | undefined {
  const { name } = params
  if (typeof name !== 'string') return undefined
  if (method === 'tools/call') return { kind: 'tool', server, name }
  return method === 'prompts/get' ? { kind: 'prompt', server, name } : undefined
}
