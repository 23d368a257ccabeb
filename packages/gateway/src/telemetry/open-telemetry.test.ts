import { context, metrics, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../../testing/services/free-port.ts'
import type { TelemetryConfig } from '../config/team-config.ts'
import { LOCAL_PERSON } from '../identity/person.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest, GatedAnswer } from '../serving/request-gate.ts'
import { startCollector, type TestCollector } from './collector.fixtures.ts'
import { type OpenTelemetry, openTelemetry } from './open-telemetry.ts'

let collector: TestCollector
const opened: OpenTelemetry[] = []
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
  await collector.close()
})

async function open(changes: Partial<TelemetryConfig> = {}, onWarning = (_: string) => {}) {
  const config: TelemetryConfig = {
    otlpUrl: collector.url,
    otlpHeaders: { 'x-api-key': 'k' },
    metricsHost: '127.0.0.1',
    logs: 'text',
    ...changes,
  }
  const telemetry = (await openTelemetry(config, { version: '1.2.3', onWarning }))!
  opened.push(telemetry)
  return telemetry
}

const request: AgentRequest = {
  caller: { person: { ...LOCAL_PERSON, id: 'https%3A%2F%2Fid.example ada' }, profile: 'support' },
  method: 'tools/call',
  params: { name: 'github__create_issue', arguments: { title: 'private title' } },
  target: { kind: 'tool', server: 'github', name: 'create_issue' },
  at: 0,
  client: 'claude-code',
  session: '0a1b2c3d-4e5f',
}
const answer: GatedAnswer = {
  result: { content: [] },
  outcome: { outcome: 'ok', resultBytes: 12, target: request.target },
}

describe('openTelemetry', () => {
  it('is nothing without settings', async () => {
    expect(await openTelemetry(undefined, { version: '1' })).toBeUndefined()
    const config = { otlpHeaders: {}, metricsHost: '127.0.0.1', logs: 'json' } as const
    expect(await openTelemetry(config, { version: '1' })).toBeUndefined()
  })

  it('sends spans of requests and of calls to servers, with the conventions of MCP', async () => {
    const telemetry = await open()
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const sent: unknown[] = []
    await telemetry.gate({ ...request, trace: { traceparent, tracestate: 'a=1' } }, async () => {
      await new Promise(setImmediate)
      const params = { name: 'create_issue', arguments: { title: 'private title' } }
      await telemetry.aroundRequest(
        { server: 'github', method: 'tools/call', params },
        async (fields) => {
          sent.push(fields)
          return { content: [] }
        },
      )
      return answer
    })
    await telemetry.close()
    const spans = collector.spans()
    const [server, client] = [2, 3].map((kind) => spans.find((span) => span.kind === kind)!)
    expect(spans).toHaveLength(2)
    expect(server).toMatchObject({
      name: 'tools/call create_issue',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.session.id': '0a1b2c3d',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'create_issue',
        'toolsearch.server.name': 'github',
        'toolsearch.outcome': 'ok',
        'toolsearch.profile': 'support',
      },
    })
    expect(client).toMatchObject({
      name: 'tools/call create_issue',
      traceId: server!.traceId,
      parentSpanId: server!.spanId,
      attributes: { 'mcp.method.name': 'tools/call', 'toolsearch.server.name': 'github' },
    })
    expect(sent).toEqual([
      { traceparent: `00-${server!.traceId}-${client!.spanId}-01`, tracestate: 'a=1' },
    ])
    expect(collector.resource()).toMatchObject({
      'service.name': 'toolsearch-gateway',
      'service.version': '1.2.3',
    })
    expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'k' })
    expect(collector.text()).not.toMatch(/id.example|private title|4e5f/)
  })

  it('sends the longest delay of the event loop', async () => {
    const telemetry = await open()
    // The monitor needs a moment before it measures.
    await new Promise((resolve) => setTimeout(resolve, 50))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await telemetry.close()
    const [sent] = collector.points('nodejs.eventloop.delay.max')
    expect(sent?.point.asDouble).toBeGreaterThan(0.25)
  })

  it('takes trace context from _meta, and ignores invalid context', async () => {
    const telemetry = await open()
    const ask = (traceparent: string) =>
      telemetry.gate({ ...request, params: { _meta: { traceparent } } }, async () => answer)
    await ask('00-11111111111111111111111111111111-2222222222222222-01')
    await ask('00-00000000000000000000000000000000-2222222222222222-01')
    await ask('<script>')
    await telemetry.close()
    const parents = collector.spans().map(({ parentSpanId }) => parentSpanId || undefined)
    expect(parents).toEqual(['2222222222222222', undefined, undefined])
  })

  it('marks failures, and says what kind they are', async () => {
    const telemetry = await open()
    const fail = (error: Error) =>
      telemetry.gate(request, async () => ({
        result: {},
        error,
        outcome: { outcome: 'failed', resultBytes: 0 },
      }))
    await telemetry.gate(request, async () => ({
      ...answer,
      outcome: { ...answer.outcome, outcome: 'failed' },
    }))
    await fail(
      new UpstreamError('refused', 'github', 'No.', { answer: { code: -32602, message: 'No.' } }),
    )
    await fail(new UpstreamError('timeout', 'github', 'Too slow.'))
    const refusal = new RefusedError('Slow down.', { outcome: 'limited', reason: 'rateLimits[0]' })
    await telemetry.gate(request, () => Promise.reject(refusal)).catch(() => {})
    await telemetry.close()
    const spans = collector.spans()
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
      'tool_error',
      '-32602',
      'timeout',
      'limited',
    ])
    expect(spans[1]!.attributes).toMatchObject({ 'rpc.response.status_code': '-32602' })
    expect(spans[3]!.attributes).toMatchObject({ 'toolsearch.reason': 'rateLimits[0]' })
    expect(spans.every(({ status }) => status.code === 2)).toBe(true)
  })

  it('counts durations, searches, refusals, sessions and servers', async () => {
    const telemetry = await open()
    telemetry.observe({ sessions: () => 7, servers: () => ['ready', 'ready', 'failed'] })
    const search = { ...request, target: { kind: 'meta', name: 'tool_search' } } as const
    const found = (hits: string[]) => async (): Promise<GatedAnswer> => ({
      ...answer,
      outcome: {
        ...answer.outcome,
        target: search.target,
        searches: [{ query: 'private query', hits }],
      },
    })
    await telemetry.gate(search, found(['a']))
    await telemetry.gate(search, found([]))
    await telemetry.gate(request, async () => ({
      ...answer,
      outcome: { ...answer.outcome, outcome: 'denied', reason: 'rules[0]' },
    }))
    await telemetry.gate({ ...request, method: 'invented/by-client-1' }, async () => answer)
    await telemetry.close()
    expect(collector.points('toolsearch.searches')).toMatchObject([
      { attributes: { 'toolsearch.search.result': 'hit' }, point: { asDouble: 1 } },
      { attributes: { 'toolsearch.search.result': 'miss' }, point: { asDouble: 1 } },
    ])
    expect(collector.points('toolsearch.requests.refused')).toMatchObject([
      { attributes: { 'toolsearch.outcome': 'denied' } },
    ])
    expect(collector.points('toolsearch.sessions')).toMatchObject([{ point: { asDouble: 7 } }])
    expect(collector.points('toolsearch.servers')).toMatchObject([
      { attributes: { 'toolsearch.server.state': 'ready' }, point: { asDouble: 2 } },
      { attributes: { 'toolsearch.server.state': 'failed' }, point: { asDouble: 1 } },
    ])
    const durations = collector.points('mcp.server.operation.duration')
    expect(durations.map(({ attributes }) => attributes)).toEqual([
      {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'tool_search',
      },
      // Not which tool was denied.
      { 'mcp.method.name': 'tools/call', 'error.type': 'denied' },
      expect.objectContaining({ 'mcp.method.name': '_OTHER' }),
    ])
    expect(collector.text()).not.toMatch(/private query|invented|id.example/)
  })

  it('serves metrics to Prometheus on a port of their own', async () => {
    const port = await freePort()
    const telemetry = await open({ otlpUrl: undefined!, metricsPort: port })
    telemetry.observe({
      servers: () => ['ready'],
      stores: { redis: async () => true, postgres: async () => false },
      audit: () => ({ waiting: 3, lost: 2, failures: 1 }),
    })
    await telemetry.gate(request, async () => answer)
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    const text = await response.text()
    expect(text).toMatch(/mcp_server_operation_duration_count\{.*\} 1/)
    expect(text).toMatch(/mcp_server_operation_duration_bucket\{.*le="0.01"/)
    expect(text).toMatch(/toolsearch_servers\{toolsearch_server_state="ready".*\} 1/)
    expect(text).toMatch(/toolsearch_store_available\{toolsearch_store="redis".*\} 1/)
    expect(text).toMatch(/toolsearch_store_available\{toolsearch_store="postgres".*\} 0/)
    expect(text).toMatch(/toolsearch_audit_waiting\S* 3/)
    expect(text).toMatch(/toolsearch_audit_lost\S* 2/)
    expect(text).toMatch(/toolsearch_audit_failures\S* 1/)
    expect(text).not.toMatch(/id.example|claude-code|0a1b2c3d/)
    await expect(open({ metricsPort: port })).rejects.toThrow(
      `The Prometheus endpoint cannot use 127.0.0.1:${port} (EADDRINUSE).`,
    )
    await telemetry.close()
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  })

  it('warns if the collector rejects the data, and ends although it does not answer', async () => {
    const warnings: string[] = []
    collector.setStatus(401)
    const telemetry = await open({}, (message) => warnings.push(message))
    await telemetry.gate(request, async () => answer)
    await telemetry.close()
    expect(warnings.join('\n')).toMatch(
      /Traces cannot be sent to "telemetry.otlpUrl": Unauthorized/,
    )
  })

  it('uses the providers of the program that embeds the gateway, and registers none', async () => {
    const exporter = new InMemorySpanExporter()
    const own = await open()
    expect(trace.getTracerProvider()).not.toBeInstanceOf(BasicTracerProvider)
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    trace.setGlobalTracerProvider(provider)
    try {
      await own.gate(request, async () => answer)
      expect(exporter.getFinishedSpans()).toEqual([])
      const embedded = (await openTelemetry(undefined, { version: '1' }))!
      await embedded.gate(request, async () => answer)
      expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
        'tools/call create_issue',
      ])
    } finally {
      trace.disable()
      metrics.disable()
      context.disable()
    }
  })
})
